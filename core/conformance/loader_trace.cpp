#include "core/conformance/loader_trace.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <atomic>
#include <sstream>

#include "core/module/process_service.hpp"
#include "core/support/json.hpp"

namespace cloudai::conformance {
namespace {

// The loader that started this program, from its own program headers.
std::string loader_of_this_program() {
  std::string loader;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_INTERP) continue;
          // An address the loader itself has filled in.
          const auto address = info->dlpi_addr + segment.p_vaddr;
          *static_cast<std::string*>(to) = reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
        }
        return 1;  // the program is the first one
      },
      &loader);
  return loader;
}

// "undefined symbol: name\t(file)" → name.
std::string undefined_symbol(const std::string& line) {
  static constexpr std::string_view words = "undefined symbol: ";
  const std::size_t at = line.find(words);
  if (at == std::string::npos) return {};
  const std::string rest = line.substr(at + words.size());
  return rest.substr(0, rest.find_first_of(" \t,"));
}

bool is_problem(const std::string& line) {
  if (const std::string symbol = undefined_symbol(line); !symbol.empty()) {
    return ::dlsym(RTLD_DEFAULT, symbol.c_str()) == nullptr;
  }
  return line.find("not found") != std::string::npos || line.find("cannot open") != std::string::npos;
}

std::string trimmed(std::string line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  line = begin == std::string::npos ? "" : line.substr(begin);
  for (char& c : line) c = c == '\t' ? ' ' : c;
  return line;
}

}  // namespace

Result<std::vector<std::string>> loader_problems(const std::filesystem::path& file) {
  const std::atomic<bool> cancelled{false};
  module::ProcessService processes(cancelled);
  const auto end =
      processes.run({{"argv", {loader_of_this_program(), std::filesystem::absolute(file).string()}},
                     {"environment", {{"LD_TRACE_LOADED_OBJECTS", "1"}, {"LD_WARN", "yes"}, {"LD_BIND_NOW", "yes"}}},
                     {"unset", {"LD_PRELOAD", "LD_DEBUG"}},
                     {"timeout", 30}});
  if (!end) return trouble(fmt::format("The dynamic loader could not be asked: {}", end.error().message));
  std::vector<std::string> problems;
  std::istringstream text(text_of(*end, "stdout") + "\n" + text_of(*end, "stderr"));
  for (std::string line; std::getline(text, line);) {
    if (is_problem(line)) problems.push_back(trimmed(line));
  }
  return problems;
}

}  // namespace cloudai::conformance
