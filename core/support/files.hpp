// Files as the core wants them: read whole, written beside and renamed, hashed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "core/support/result.hpp"

namespace cloudai::files {

// The whole file. Directories, FIFOs, unreadable files and those larger than `limit` bytes are errors that name the
// path and the reason.
Result<std::string> read(const std::filesystem::path& path,
                         std::size_t limit = std::numeric_limits<std::size_t>::max());

// Writes `content` beside `path` and renames it into place, so that a reader sees the old file or the new one, never a
// part. Mode is given as for chmod. The parent directory must exist. The error says what the system says (no space
// left, read-only, …).
Result<void> write(const std::filesystem::path& path, std::string_view content, unsigned mode = 0644);

// Whether `relative` stays in `directory`, also where symbolic links are followed. What is not there yet may stay.
bool leads_inside(const std::filesystem::path& directory, const std::filesystem::path& relative);

// The error of a document of ours that is not what was written: "'PATH' is damaged: HOW.".
tl::unexpected<Error> damaged(const std::filesystem::path& path, const std::string& how);

// SHA-256 of the file's content as 64 lower-case hexadecimal digits.
Result<std::string> sha256(const std::filesystem::path& path);

// SHA-256 of `text` likewise.
std::string sha256_of(std::string_view text);

}  // namespace cloudai::files
