// Where whoever calls a module in a child process waits for its answer, or for the end of the child.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <tl/expected.hpp>

#include "core/module/reply.hpp"

namespace cloudai::module {

// Why there is no child any more.
struct ChildEnd {
  enum class Kind {
    exited,        // `number` is its exit status
    signalled,     // `number` is the signal
    overdue,       // a call did not return in time; it was killed
    garbage,       // what it sent was no message; it was killed
    disconnected,  // it closed its end of the connection and went on; it was killed
  };
  Kind kind = Kind::exited;
  int number = 0;
};

// Any thread; one call at a time.
class CallSlot {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  // Has the request sent by `send`, and waits. The answer must come within `limit`: deadline() tells until when, and
  // whoever watches the child ends it.
  tl::expected<RawReply, ChildEnd> exchange(const std::function<void()>& send, std::chrono::milliseconds limit);

  // The same where the answer is the child's end.
  ChildEnd await_end(const std::function<void()>& send, std::chrono::milliseconds limit);

  // False: nothing was asked that has an answer.
  bool answer(RawReply reply);
  void end(ChildEnd end);

  std::optional<Moment> deadline() const;  // of the call under way
  std::optional<ChildEnd> ended() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Moment> deadline_;
  bool awaits_end_ = false;
  std::optional<RawReply> reply_;
  std::optional<ChildEnd> end_;
};

}  // namespace cloudai::module
