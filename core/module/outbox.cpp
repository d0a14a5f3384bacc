#include "core/module/outbox.hpp"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>

#include "core/module/message.hpp"

namespace cloudai::module {

void Outbox::send(const Json& header, std::string_view text) {
  const std::lock_guard lock(mutex_);
  pending_ += encoded(header, text);
  flush_locked();
  ::eventfd_write(wake_.get(), 1);
}

void Outbox::flush() {
  const std::lock_guard lock(mutex_);
  flush_locked();
}

bool Outbox::is_waiting() const {
  const std::lock_guard lock(mutex_);
  return !pending_.empty();
}

void Outbox::flush_locked() {
  while (begin_ < pending_.size()) {
    const ssize_t size =
        ::send(socket_.get(), pending_.data() + begin_, pending_.size() - begin_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    // Nobody is there any more: whoever watches the child will hear of its end.
    if (size < 0) break;
    begin_ += static_cast<std::size_t>(size);
  }
  pending_.clear();
  begin_ = 0;
}

}  // namespace cloudai::module
