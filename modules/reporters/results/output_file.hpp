// A file that appears whole or not at all: written beside its place under a passing name, then renamed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace cloudai::results {

class OutputFile {
 public:
  // Starts a file in `directory`. Throws Error(failed), as every function below does, where the disk refuses.
  explicit OutputFile(std::filesystem::path directory);
  ~OutputFile();  // removes what was not committed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);

  // Puts the file in its place, over one that is there.
  void commit(const std::string& name);

 private:
  [[noreturn]] void discard(const std::string& what) const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::filesystem::path directory_;
  std::filesystem::path passing_name_;
  std::FILE* file_ = nullptr;
};

}  // namespace cloudai::results
