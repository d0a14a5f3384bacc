// A .tar.gz that is written front to back, however large its files are. The same files give the same bytes: neither the
// time of writing nor the names of their owners are kept.
#pragma once

#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "modules/reporters/results/output_file.hpp"

struct archive;
struct archive_entry;

namespace cloudai::tarball {

// Every function throws Error(failed) where the disk or the library refuses, and Error(cancelled) once `is_cancelled`.
class Archive {
 public:
  // Goes into `file`, which must outlive it. The archive is complete after close().
  Archive(results::OutputFile& file, std::function<bool()> is_cancelled);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  // The regular file at `path` under the name `name`. Returns why it is left out, "" if it is not: it cannot be opened,
  // or is no regular file by now. Symbolic links are not followed.
  std::string add_file(const std::filesystem::path& path, const std::string& name);

  // A symbolic link that says `target`.
  void add_link(const std::string& name, const std::string& target);

  void add_text(const std::string& name, const std::string& text);

  void close();

 private:
  void begin(archive_entry& entry);
  void write(const char* data, std::size_t size);
  void check(long result);
  static long take(archive* self, void* owner, const void* data, std::size_t size);

  results::OutputFile& file_;
  std::function<bool()> is_cancelled_;
  std::exception_ptr failure_;  // thrown while the library was calling us
  std::unique_ptr<archive, int (*)(archive*)> archive_;
};

}  // namespace cloudai::tarball
