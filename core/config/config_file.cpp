#include "core/config/config_file.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "core/config/toml_reader.hpp"
#include "core/config/yaml_reader.hpp"
#include "core/support/files.hpp"

namespace cloudai::config {
namespace {

constexpr std::size_t largest = std::size_t{16} << 20U;

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

bool is_yaml(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  return ending == ".yaml" || ending == ".yml";
}

}  // namespace

std::optional<Node> read_config_file(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const Result<std::string> content = files::read(path, largest);
  if (!content) {
    diagnostics.error({}, content.error().message);
    return std::nullopt;
  }
  return parse_config(*content, path.string(), diagnostics);
}

std::optional<Node> parse_config(std::string_view content, const std::string& file, Diagnostics& diagnostics) {
  return is_yaml(file) ? parse_yaml(content, file, diagnostics) : parse_toml(content, file, diagnostics);
}

bool is_config_file_name(const std::filesystem::path& path) {
  return is_yaml(path) || ending_of(path) == ".toml";
}

std::vector<std::filesystem::path> config_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_config_file_name(entry->path())) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace cloudai::config
