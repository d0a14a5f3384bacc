#include "modules/reporters/results/output_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "cloudai/error.hpp"

namespace cloudai::results {

OutputFile::OutputFile(std::filesystem::path directory) : directory_(std::move(directory)) {
  static std::atomic<unsigned> counter{0};
  do {
    passing_name_ = directory_ / (".report-" + std::to_string(::getpid()) + "-" + std::to_string(++counter) + ".tmp");
    file_ = std::fopen(passing_name_.c_str(), "wxe");
  } while (file_ == nullptr && errno == EEXIST);
  if (file_ == nullptr) refuse("A file cannot be made in " + directory_.string());
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  ::unlink(passing_name_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    refuse("A file in " + directory_.string() + " cannot be written");
  }
}

void OutputFile::commit(const std::string& name) {
  const std::filesystem::path target = directory_ / name;
  // Some file systems tell only now that the disk is full.
  if (std::fclose(std::exchange(file_, nullptr)) != 0) discard(target.string() + " cannot be written");
  if (std::rename(passing_name_.c_str(), target.c_str()) != 0) discard(target.string() + " cannot be put in its place");
}

void OutputFile::discard(const std::string& what) const {
  const int error = errno;
  ::unlink(passing_name_.c_str());
  errno = error;
  refuse(what);
}

void OutputFile::refuse(const std::string& what) const {
  throw Error(Status::failed, what + ": " + std::generic_category().message(errno) + ".");
}

}  // namespace cloudai::results
