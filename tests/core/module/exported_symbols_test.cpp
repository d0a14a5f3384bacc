// What the program exports, a module could bind to by accident instead of its own: nothing of the core or of a library
// that is compiled into it may be there. (spdlog and the C++ library are shared objects; some of their weak symbols
// have to be.)
#include <gmock/gmock.h>

#include <cstdio>
#include <regex>

#include "tests/paths.hpp"

namespace {

TEST(ExportedSymbols, TheProgramExportsNothingOfItsOwn) {
  std::FILE* pipe = ::popen(("nm -DC --defined-only '" + tree::build_directory() + "/bin/cloudai' 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string symbols;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) symbols.append(buffer, got);
  ASSERT_EQ(::pclose(pipe), 0) << symbols;

  const std::regex ours("cloudai|nlohmann|toml::|valijson|CLI::|boost::|tl::|date::");
  std::string found;
  for (std::size_t at = 0; at < symbols.size();) {
    const auto line = symbols.substr(at, symbols.find('\n', at) - at);
    if (std::regex_search(line, ours)) found += line + "\n";
    at += line.size() + 1;
  }
  EXPECT_EQ(found, "");
}

}  // namespace
