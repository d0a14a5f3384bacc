// Log messages on stderr, and below them, on a terminal, one line that is always up to date.
#pragma once

#include <spdlog/sinks/base_sink.h>
#include <mutex>
#include <string>
#include <string_view>

namespace cloudai::log {

class ConsoleSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  // The line below the last message, cut to the terminal's width at every drawing, since that may change; empty: none.
  // Nothing is drawn while the program is in the background.
  void show_status(std::string text);

  // Takes the line away for good.
  void end_status();

 private:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;
  void put(std::string_view text);
  std::string erased_status();
  std::string drawn_status();

  std::string status_;
  bool is_drawn_ = false;
  bool is_ended_ = false;
  std::size_t left_out_ = 0;  // messages that nothing took since the last that was taken
};

}  // namespace cloudai::log
