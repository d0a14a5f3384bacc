// The core's end of the connection to a child, for writing: whoever sends never waits for the child to read.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "core/module/descriptor.hpp"
#include "core/support/json.hpp"

namespace cloudai::module {

// Any thread. What the child does not take at once is kept; flush() goes on with it.
class Outbox {
 public:
  // `socket` is a connected stream socket; `wake` an eventfd, written to when there is something for its poller to do.
  Outbox(Descriptor socket, Descriptor wake) : socket_(std::move(socket)), wake_(std::move(wake)) {}

  void send(const Json& header, std::string_view text);
  void flush();
  bool is_waiting() const;  // for the socket to take more

  int socket() const { return socket_.get(); }
  int wake() const { return wake_.get(); }

 private:
  void flush_locked();

  Descriptor socket_;
  Descriptor wake_;
  mutable std::mutex mutex_;
  std::string pending_;
  std::size_t begin_ = 0;
};

}  // namespace cloudai::module
