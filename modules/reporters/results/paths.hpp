// Names and paths that come from documents, made safe to use.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cloudai::results {

// `relative` below `directory`. Throws Error(failed) where it is absolute, has a component "..", or leaves `directory`
// through a symbolic link. The path itself need not exist.
std::filesystem::path path_inside(const std::filesystem::path& directory, const std::string& relative);

// Whether `relative` is a path that stays below the directory it is relative to, by its text alone.
bool stays_inside(const std::filesystem::path& relative);

// `text` as one component of a path: slashes and control characters become "_"; "", "." and ".." get a "_" before them;
// at most `longest` bytes, cut between characters. Blanks, quotes and everything else stay.
std::string file_name(std::string_view text, std::size_t longest = 200);

}  // namespace cloudai::results
