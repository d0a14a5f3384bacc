#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cloudai/abi/module.h"
#include "core/conformance/check.hpp"
#include "core/conformance/loader_trace.hpp"
#include "core/module/elf_symbols.hpp"

namespace cloudai::conformance {
namespace {

// The first few of them.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  const std::size_t shown = std::min(most, names.size());
  const std::string list = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
  return shown < names.size() ? fmt::format("{} and {} more", list, names.size() - shown) : list;
}

std::string plural(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void check_symbols(const module::ElfSymbols& symbols, Findings& findings) {
  std::vector<std::string> others = symbols.exported;
  const auto entry = std::find(others.begin(), others.end(), CLOUDAI_MODULE_ENTRY_SYMBOL);
  if (entry == others.end()) {
    findings.fault(
        fmt::format("It does not export {}. Build it with cloudai_add_module().", CLOUDAI_MODULE_ENTRY_SYMBOL));
  } else {
    others.erase(entry);
  }
  if (!others.empty()) {
    findings.fault(fmt::format("It exports {} beside {}: {}. Build it with cloudai_add_module().",
                               plural(others.size(), "symbol"), CLOUDAI_MODULE_ENTRY_SYMBOL, some_of(others)));
  }
  if (!symbols.unique.empty()) {
    findings.fault(
        fmt::format("It has {} that the whole process would share with it: {}. Compile it with -fno-gnu-unique.",
                    plural(symbols.unique.size(), "unique symbol"), some_of(symbols.unique)));
  }
}

}  // namespace

void check_elf(const Context& context, Findings& findings) {
  const auto symbols = module::read_symbols(context.file);
  if (!symbols) {
    findings.fault(fmt::format("It {}.", symbols.error()));
  } else {
    check_symbols(*symbols, findings);
    if (!symbols->needed_versions.empty()) {
      findings.note(fmt::format("needs {}", fmt::join(symbols->needed_versions, ", ")));
    }
  }
  const auto problems = loader_problems(context.file);
  if (!problems) return findings.fault(problems.error().message);
  for (const std::string& problem : *problems) {
    findings.fault(fmt::format("The loader of this machine says: {}", problem));
  }
}

}  // namespace cloudai::conformance
