// What the core reads of a shared object without loading it.
//
// The dynamic loader trusts what it opens: a truncated file kills the process, another machine's is "not found". So the
// parts it relies on are checked here first. The file is read, never mapped: it may shrink while we look.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace cloudai::module {

struct ElfFile {
  std::optional<std::string> manifest;  // descriptor of the CloudAI note
  std::string build_id;                 // hexadecimal, or empty
};

// Reads the open file of `size` bytes. The error completes a sentence that starts with the file's name: "is built for
// aarch64; this host is x86-64."
tl::expected<ElfFile, std::string> read_elf(int descriptor, std::uint64_t size);

}  // namespace cloudai::module
