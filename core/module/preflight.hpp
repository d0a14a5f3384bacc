// Whether a file may be handed to the dynamic loader, decided without running or mapping any of it.
#pragma once

#include <filesystem>
#include <tl/expected.hpp>

#include "core/module/catalogue.hpp"
#include "core/module/elf_file.hpp"

namespace cloudai::module {

// In this order, one sentence for the first refusal: opens, regular file, it and every parent owned by root or the
// effective user and not writable by others, ELF file of this machine, complete, with a manifest that is valid and
// whose ABI we have. Neither a FIFO nor a file that someone cuts meanwhile hangs or kills it.
tl::expected<ModuleFile, IgnoredFile> preflight(const std::filesystem::path& path);

// The part of it that comes before the manifest is read; what is found has one.
tl::expected<ElfFile, IgnoredFile> preflight_file(const std::filesystem::path& path);

}  // namespace cloudai::module
