#include "core/support/console_sink.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/support/terminal.hpp"
#include "core/support/text_width.hpp"

namespace cloudai::log {

namespace {

// A pipe that has room at all has room for this much.
constexpr std::size_t piece = 4096;
// How long a message waits for a terminal that is held (Ctrl-S), or a pipe that nobody reads.
constexpr int patience_in_ms = 2000;

bool takes_text(int wait_in_ms) {
  pollfd target{STDERR_FILENO, POLLOUT, 0};
  return ::poll(&target, 1, wait_in_ms) != 0;
}

}  // namespace

// stderr has no buffer: one call is one write, so that nobody sees a line that is half drawn. What writes here must not
// stand still for as long as nobody reads: it also heeds signals and time limits.
void ConsoleSink::put(std::string_view text) {
  if (text.empty()) return;
  if (!takes_text(left_out_ == 0 ? patience_in_ms : 0)) {
    ++left_out_;
    return;
  }
  if (left_out_ > 0) {
    const std::string remark = "\n(Nothing took what is written here for a while; " + std::to_string(left_out_) +
                               " messages were left out. The run's debug.log has them.)\n";
    left_out_ = 0;
    std::fwrite(remark.data(), 1, remark.size(), stderr);
  }
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    if (!takes_text(patience_in_ms)) break;
    std::fwrite(text.data(), 1, std::min(piece, text.size()), stderr);
  }
}

void ConsoleSink::show_status(std::string text) {
  const std::lock_guard lock(mutex_);
  if (is_ended_) return;
  if (text == status_ && (is_drawn_ || text.empty())) return;
  status_ = std::move(text);
  put(status_.empty() ? erased_status() : drawn_status());
}

void ConsoleSink::end_status() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
  status_.clear();
  put(erased_status());
}

void ConsoleSink::sink_it_(const spdlog::details::log_msg& message) {
  // Reasons, names and the words of modules may hold what a terminal takes for a command.
  const std::string payload = without_controls({message.payload.data(), message.payload.size()});
  spdlog::details::log_msg harmless = message;
  harmless.payload = payload;
  spdlog::memory_buf_t formatted;
  formatter_->format(harmless, formatted);
  std::string text = erased_status();
  text.append(formatted.data(), formatted.size());
  put(text + drawn_status());
}

void ConsoleSink::flush_() {
  std::fflush(stderr);
}

std::string ConsoleSink::erased_status() {
  return std::exchange(is_drawn_, false) ? "\r\033[K" : "";
}

std::string ConsoleSink::drawn_status() {
  if (status_.empty() || terminal::is_in_background(STDERR_FILENO)) return {};
  is_drawn_ = true;
  // One column less than there are: in the last one some terminals go to the next line.
  return "\r" + fit_columns(status_, terminal::columns(STDERR_FILENO) - 1) + "\033[K";
}

}  // namespace cloudai::log
