// What a module throws when it cannot do what it was asked.
//
//   throw cloudai::Error(cloudai::Status::invalid_config, "The option 'cmd' is empty.", "Give the command to run.");
//
// The SDK turns it into the status and the error document of the call; it never leaves the module.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "cloudai/abi/base.h"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

enum class Status : cloudai_status {
  invalid_config = CLOUDAI_INVALID_CONFIG,      // the user's configuration is wrong
  invalid_document = CLOUDAI_INVALID_DOCUMENT,  // the request is not a document this call understands
  unsupported = CLOUDAI_UNSUPPORTED,            // well-formed, but this module cannot do it
  unavailable = CLOUDAI_UNAVAILABLE,            // something outside did not answer; trying again may help
  cancelled = CLOUDAI_CANCELLED,                // the host asked to stop
  failed = CLOUDAI_FAILED,                      // it was tried and did not work
  internal = CLOUDAI_INTERNAL                   // a defect of the module
};

class Error : public std::exception {
 public:
  // `message` and `hint` (what to do about it) are complete sentences for the person at the terminal. `path` is a
  // JSON pointer to the place in the request that is at fault.
  Error(Status status, std::string message, std::string hint = {}, std::string path = {})
      : status_(status), message_(std::move(message)), hint_(std::move(hint)), path_(std::move(path)) {}

  Status status() const noexcept { return status_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }
  const std::string& path() const noexcept { return path_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Status status_;
  std::string message_;
  std::string hint_;
  std::string path_;
};

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
