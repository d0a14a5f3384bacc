// A directory of its own for a test, and the fixtures to fill it with.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/paths.hpp"

namespace cloudai::module::test {

class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cloudai-module-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(pattern);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  std::filesystem::path directory(std::string_view name) const {
    std::filesystem::create_directories(path_ / name);
    return path_ / name;
  }

  // Puts the fixture there as `file`, e.g. "a/b.so", or under its own name.
  std::filesystem::path add(std::string_view fixture, std::string_view file = {}) const {
    const auto to = path_ / (file.empty() ? std::string(fixture) + ".so" : std::string(file));
    std::filesystem::create_directories(to.parent_path());
    std::filesystem::copy_file(fixture_path(fixture), to);
    // The umask of whoever built it is not part of the test.
    std::filesystem::permissions(to, std::filesystem::perms{0755});
    return to;
  }

  std::filesystem::path write(std::string_view file, std::string_view content) const {
    std::ofstream(path_ / file, std::ios::binary) << content;
    std::filesystem::permissions(path_ / file, std::filesystem::perms{0644});
    return path_ / file;
  }

  static std::filesystem::path fixture_path(std::string_view fixture) {
    return std::filesystem::path(tree::build_directory()) / "tests/fixtures/module" / (std::string(fixture) + ".so");
  }

 private:
  std::filesystem::path path_;
};

}  // namespace cloudai::module::test
