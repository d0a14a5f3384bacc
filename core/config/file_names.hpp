// Names of the user's that become names of files and directories.
#pragma once

#include <string>
#include <string_view>

namespace cloudai::config {

// What is wrong with `name` as a part of a file's name: the rest of a sentence that begins with the name ("contains a
// slash"), or empty. Blanks, quotes and the like are legal: whatever shows or passes on a name has to quote it.
std::string fault_as_part_of_file_name(std::string_view name);

// Likewise for `name` as the whole name of a directory: no leading dot either.
std::string fault_as_directory_name(std::string_view name);

}  // namespace cloudai::config
