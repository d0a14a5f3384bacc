// journal.jsonl: what happened, one JSON object a line, in order, from the first moment on.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

class Journal {
 public:
  static Result<std::unique_ptr<Journal>> create(const std::filesystem::path& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  using Listener = std::function<void(std::string_view event, const Json& fields)>;

  // `listener` hears of every event from now on, in the thread that appends it. To be set before there are other
  // threads.
  void tell(Listener listener) { listener_ = std::move(listener); }

  // Appends {"time": now, "event": event, …fields} in one write. Any thread.
  Result<void> append(std::string_view event, const Json& fields);

  // The same, and returns only when it is on the disk: for what must be known after a crash.
  Result<void> append_durably(std::string_view event, const Json& fields);

 private:
  explicit Journal(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::filesystem::path path_;
  int fd_;
  std::mutex mutex_;
  Listener listener_;
};

}  // namespace cloudai::run
