// The dynamic symbols of a shared object and the versions it needs, read without loading it.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace cloudai::module {

struct ElfSymbols {
  std::vector<std::string> exported;         // defined and seen by others, unique ones included
  std::vector<std::string> unique;           // one for the whole process, whichever file defines them (STB_GNU_UNIQUE)
  std::vector<std::string> needed_versions;  // "GLIBC_2.34": the highest of each kind
};

// Of a file that passed the preflight. The error says why there is nothing to see: "has no section headers".
tl::expected<ElfSymbols, std::string> read_symbols(const std::filesystem::path& file);

}  // namespace cloudai::module
