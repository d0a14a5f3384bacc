#include "core/module/call_slot.hpp"

#include <utility>

namespace cloudai::module {

tl::expected<RawReply, ChildEnd> CallSlot::exchange(const std::function<void()>& send,
                                                    std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  if (end_) return tl::make_unexpected(*end_);
  reply_.reset();
  deadline_ = std::chrono::steady_clock::now() + limit;
  lock.unlock();
  send();
  lock.lock();
  changed_.wait(lock, [&] { return reply_ || end_; });
  deadline_.reset();
  if (!reply_) return tl::make_unexpected(*end_);
  RawReply reply = std::move(*reply_);
  reply_.reset();
  return reply;
}

ChildEnd CallSlot::await_end(const std::function<void()>& send, std::chrono::milliseconds limit) {
  {
    const std::lock_guard lock(mutex_);
    awaits_end_ = true;
  }
  return exchange(send, limit).error();
}

bool CallSlot::answer(RawReply reply) {
  const std::lock_guard lock(mutex_);
  if (!deadline_ || reply_ || awaits_end_) return false;
  reply_ = std::move(reply);
  changed_.notify_all();
  return true;
}

void CallSlot::end(ChildEnd end) {
  const std::lock_guard lock(mutex_);
  if (!end_) end_ = end;
  changed_.notify_all();
}

std::optional<CallSlot::Moment> CallSlot::deadline() const {
  const std::lock_guard lock(mutex_);
  // One that has its answer is not overdue, however late the caller wakes up.
  return reply_ ? std::nullopt : deadline_;
}

std::optional<ChildEnd> CallSlot::ended() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

}  // namespace cloudai::module
