#include "core/support/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace cloudai::log {

namespace {

// Keeps messages until there is a file for them, then is that file.
class LateFileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void open(const std::filesystem::path& path) {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_st>(path.string(), true);
    file->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
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
  std::shared_ptr<spdlog::sinks::basic_file_sink_st> file_;
};

std::shared_ptr<LateFileSink>& late_file() {
  static std::shared_ptr<LateFileSink> sink = std::make_shared<LateFileSink>();
  return sink;
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
  auto console = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<LevelName>('*').set_pattern("[%*] %v");
  console->set_formatter(std::move(formatter));
  console->set_level(spdlog::level::info);
  auto logger = std::make_shared<spdlog::logger>("cloudai", spdlog::sinks_init_list{console, late_file()});
  logger->set_level(spdlog::level::debug);
  logger->flush_on(spdlog::level::warn);
  // A log that cannot be written (a full disk) must not end a run; its own complaint goes to stderr once.
  logger->set_error_handler([said = false](const std::string& message) mutable {
    if (!std::exchange(said, true)) std::fprintf(stderr, "[WARNING] the log cannot be written: %s\n", message.c_str());
  });
  spdlog::set_default_logger(std::move(logger));
}

Result<void> open_file(const std::filesystem::path& path) {
  try {
    late_file()->open(path);
    return {};
  } catch (const spdlog::spdlog_ex& exception) {
    return trouble("cannot write the log '" + path.string() + "': " + exception.what() + ".");
  }
}

void finish() {
  spdlog::default_logger_raw()->flush();
}

}  // namespace cloudai::log
