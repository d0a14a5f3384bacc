#include "modules/reporters/html/rerun.hpp"

#include <algorithm>
#include <string_view>

#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

namespace {

// The id as a glob that matches nothing else.
std::string literal_glob(const std::string& id) {
  constexpr std::string_view special = "*?[]\\";
  std::string glob;
  for (const char c : id) {
    if (special.find(c) != std::string_view::npos) glob += '\\';
    glob += c;
  }
  return glob;
}

}  // namespace

std::string rerun_command(const std::vector<std::string>& arguments, const std::string& test_case) {
  if (std::find(arguments.begin(), arguments.end(), "run") == arguments.end()) return {};
  std::string command;
  const auto add = [&](const std::string& word) { command += (command.empty() ? "" : " ") + shell_word(word); };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool filters = !test_case.empty() && arguments[i].rfind("--filter", 0) == 0;
    if (!filters) {
      add(arguments[i]);
    } else if (arguments[i] == "--filter") {
      ++i;  // its value
    }
  }
  if (!test_case.empty()) {
    add("--filter");
    add(literal_glob(test_case));
  }
  return command;
}

}  // namespace cloudai::html
