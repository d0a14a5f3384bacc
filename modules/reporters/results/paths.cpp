#include "modules/reporters/results/paths.hpp"

#include <algorithm>
#include <system_error>

#include "cloudai/error.hpp"

namespace cloudai::results {

namespace fs = std::filesystem;

bool stays_inside(const fs::path& relative) {
  return !relative.is_absolute() && std::find(relative.begin(), relative.end(), "..") == relative.end();
}

fs::path path_inside(const fs::path& directory, const std::string& relative) {
  const auto leaves = [&] {
    return Error(Status::failed,
                 "The path '" + relative + "' leaves the results directory " + directory.string() + ".");
  };
  if (!stays_inside(relative) || relative.find('\0') != std::string::npos) throw leaves();
  std::error_code error;
  const fs::path root = fs::weakly_canonical(directory, error);
  fs::path target = fs::canonical(directory / relative, error);
  if (error)
    target = fs::weakly_canonical(directory / relative, error);  // many times slower; for what is not there yet
  if (error) {
    throw Error(Status::failed, "The path '" + relative + "' cannot be followed: " + error.message() + ".");
  }
  if (!stays_inside(target.lexically_relative(root))) throw leaves();
  return directory / relative;
}

std::string file_name(std::string_view text, std::size_t longest) {
  std::string name;
  for (const char c : text) name += c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '_' : c;
  if (name.size() > longest) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
    name.resize(end);
  }
  if (name.empty() || name == "." || name == "..") name.insert(name.begin(), '_');
  return name;
}

}  // namespace cloudai::results
