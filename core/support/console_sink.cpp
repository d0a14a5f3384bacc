#include "core/support/console_sink.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "core/support/terminal.hpp"
#include "core/support/text_width.hpp"

namespace cloudai::log {

namespace {

// stderr has no buffer: one call is one write, so that nobody sees a line that is half drawn.
void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

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
