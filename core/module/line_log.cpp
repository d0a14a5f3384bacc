#include "core/module/line_log.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include "core/support/log.hpp"
#include "core/support/text_width.hpp"

namespace cloudai::module {
namespace {

constexpr std::size_t longest_line = 1000;
constexpr std::size_t longest_output = std::size_t{1} << 20;

}  // namespace

LineLog::LineLog(Descriptor pipe, std::string module_id, std::string stream)
    : pipe_(std::move(pipe)), speaker_(std::move(module_id) + " (" + std::move(stream) + ")") {}

void LineLog::drain() {
  std::array<char, 16384> buffer;
  while (pipe_.get() >= 0) {
    const ssize_t size = ::read(pipe_.get(), buffer.data(), buffer.size());
    if (size > 0) {
      take({buffer.data(), static_cast<std::size_t>(size)});
    } else if (size == 0) {
      pipe_.reset(-1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

void LineLog::finish() {
  drain();
  if (!line_.empty()) write_line();
}

void LineLog::take(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('\n'));
    const std::size_t room = longest_line - line_.size();
    is_cut_ = is_cut_ || part.size() > room;
    line_ += part.substr(0, room);
    if (part.size() == text.size()) return;
    write_line();
    text.remove_prefix(part.size() + 1);
  }
}

void LineLog::write_line() {
  const std::string line = std::exchange(line_, {});
  const bool is_cut = std::exchange(is_cut_, false);
  if (written_ > longest_output) return;
  written_ += line.size() + 1;
  if (written_ > longest_output) {
    log::warn("{} has written more than {} MiB; the rest is left out.", speaker_, longest_output >> 20);
  } else if (!line.empty()) {
    log::info("{}: {}{}", speaker_, one_line(line), is_cut ? " [...]" : "");
  }
}

}  // namespace cloudai::module
