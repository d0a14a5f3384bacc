// journal.jsonl: what happened, one JSON object a line, in order, from the first moment on.
#pragma once

#include <filesystem>
#include <mutex>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

class Journal {
 public:
  static Result<std::unique_ptr<Journal>> create(const std::filesystem::path& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Appends {"time": now, "event": event, …fields} in one write. Any thread.
  Result<void> append(std::string_view event, const Json& fields);

  // The same, and returns only when it is on the disk: for what must be known after a crash.
  Result<void> append_durably(std::string_view event, const Json& fields);

 private:
  explicit Journal(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::filesystem::path path_;
  int fd_;
  std::mutex mutex_;
};

}  // namespace cloudai::run
