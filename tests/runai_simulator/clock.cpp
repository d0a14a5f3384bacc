#include "tests/runai_simulator/clock.hpp"

#include <array>
#include <ctime>

namespace runai_simulator {
namespace {

std::string formatted(Milliseconds time, const char* format) {
  const auto seconds = static_cast<std::time_t>(time / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  const auto length = std::strftime(text.data(), text.size(), format, &parts);
  return {text.data(), length};
}

}  // namespace

std::string timestamp(Milliseconds time) {
  const auto fraction = std::to_string(1000 + time % 1000).substr(1);
  return formatted(time, "%Y-%m-%dT%H:%M:%S.") + fraction + "Z";
}

std::string http_date(Milliseconds time) {
  return formatted(time, "%a, %d %b %Y %H:%M:%S GMT");
}

}  // namespace runai_simulator
