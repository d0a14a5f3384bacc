#include "core/support/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/support/console_sink.hpp"

namespace cloudai::log {

namespace {

using FileSink = spdlog::sinks::basic_file_sink_mt;

// Throws spdlog_ex.
std::shared_ptr<FileSink> file_sink(const std::filesystem::path& path, bool truncate) {
  auto file = std::make_shared<FileSink>(path.string(), truncate);
  file->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  return file;
}

// Keeps messages until there is a file for them, then is that file.
class LateFileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void open(const std::filesystem::path& path) {
    auto file = file_sink(path, true);
    const std::lock_guard lock(mutex_);
    for (const auto& message : kept_) file->log(message);
    kept_.clear();
    file_ = std::move(file);
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (file_) {
      file_->log(message);
    } else {
      kept_.emplace_back(message);
    }
  }
  void flush_() override {
    if (file_) file_->flush();
  }

  std::vector<spdlog::details::log_msg_buffer> kept_;
  std::shared_ptr<FileSink> file_;
};

std::shared_ptr<LateFileSink>& late_file() {
  static std::shared_ptr<LateFileSink> sink = std::make_shared<LateFileSink>();
  return sink;
}

std::shared_ptr<ConsoleSink>& console() {
  static std::shared_ptr<ConsoleSink> sink = std::make_shared<ConsoleSink>();
  return sink;
}

Error cannot_write(const std::filesystem::path& path, const spdlog::spdlog_ex& exception) {
  // "Failed opening file x for writing: Permission denied": the file is named by us.
  std::string why = exception.what();
  if (const std::size_t colon = why.rfind(": "); colon != std::string::npos) why.erase(0, colon + 2);
  return {ErrorKind::trouble, "the log '" + path.string() + "' cannot be written: " + why + ".", {}};
}

// "[INFO] message": the form users of the original know; spdlog's own names are lower case.
class LevelName final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    static constexpr std::string_view names[] = {"TRACE", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL", "OFF"};
    const std::string_view name = names[message.level];
    out.append(name.data(), name.data() + name.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<LevelName>(); }
};

}  // namespace

void start() {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<LevelName>('*').set_pattern("[%*] %v");
  console()->set_formatter(std::move(formatter));
  console()->set_level(spdlog::level::info);
  auto logger = std::make_shared<spdlog::logger>("cloudai", spdlog::sinks_init_list{console(), late_file()});
  logger->set_level(spdlog::level::debug);
  logger->flush_on(spdlog::level::warn);
  // A log that cannot be written (a full disk) must not end a run; its own complaint goes to stderr once.
  logger->set_error_handler([said = false](const std::string& message) mutable {
    if (!std::exchange(said, true)) std::fprintf(stderr, "[WARNING] the log cannot be written: %s\n", message.c_str());
  });
  spdlog::set_default_logger(std::move(logger));
}

void set_console_level(Level level) {
  console()->set_level(level);
}

Level console_level() {
  return console()->level();
}

Result<void> open_file(const std::filesystem::path& path) {
  try {
    late_file()->open(path);
    return {};
  } catch (const spdlog::spdlog_ex& exception) {
    return tl::make_unexpected(cannot_write(path, exception));
  }
}

Result<void> also_write_to(const std::filesystem::path& path) {
  try {
    spdlog::default_logger_raw()->sinks().push_back(file_sink(path, false));
    return {};
  } catch (const spdlog::spdlog_ex& exception) {
    return tl::make_unexpected(cannot_write(path, exception));
  }
}

void show_status(std::string text) {
  console()->show_status(std::move(text));
}

void finish() {
  console()->end_status();
  spdlog::default_logger_raw()->flush();
}

}  // namespace cloudai::log
