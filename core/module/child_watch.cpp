#include "core/module/child_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

extern "C" {  // glibc 2.36 declares these functions for C alone
#include <sys/pidfd.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "core/module/document_text.hpp"
#include "core/module/host_interfaces.hpp"
#include "core/module/process_command.hpp"

namespace cloudai::module {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A process that ends closes its connection a moment before it can be reaped.
constexpr milliseconds patience_after_disconnection{2000};
// From SIGKILL to giving up on a process the kernel cannot end.
constexpr milliseconds patience_after_kill{5000};

std::optional<std::int64_t> number_of(const Json& header, const char* key) {
  const auto found = header.find(key);
  if (found == header.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

bool is_set(const Json& header, const char* key) {
  const auto found = header.find(key);
  return found != header.end() && *found == Json(true);
}

RawReply reply_of(Message& message) {
  RawReply reply;
  reply.status = static_cast<cloudai_status>(number_of(message.header, "status").value_or(CLOUDAI_INTERNAL));
  reply.text = std::move(message.text);
  reply.is_too_large = is_set(message.header, "too_large");
  reply.changed_directory = is_set(message.header, "changed_directory");
  if (message.header.contains("thrown")) reply.thrown = text_of(message.header, "thrown");
  return reply;
}

}  // namespace

ChildWatch::ChildWatch(ChildLinks links, CallSlot& calls)
    : links_(std::move(links)),
      calls_(calls),
      process_(::pidfd_open(links_.pid, 0)),
      output_(std::move(links_.output), links_.module_id, "stdout"),
      errors_(std::move(links_.errors), links_.module_id, "stderr"),
      reader_(max_document_bytes) {}

void ChildWatch::run() {
  while (!has_exited_ && !is_given_up_) {
    wait();
    enforce_limits();
  }
  read_messages();  // it may have answered with its last breath
  output_.finish();
  errors_.finish();
  reap();
}

void ChildWatch::wait() {
  const auto short_of = [](int descriptor, bool is_wanted) { return is_wanted ? descriptor : -1; };
  const short socket_events = links_.outbox->is_waiting() ? POLLIN | POLLOUT : POLLIN;
  std::array<pollfd, 6> watched{pollfd{process_.get(), POLLIN, 0},
                                pollfd{short_of(links_.outbox->socket(), is_connected_), socket_events, 0},
                                pollfd{links_.outbox->wake(), POLLIN, 0},
                                pollfd{output_.descriptor(), POLLIN, 0},
                                pollfd{errors_.descriptor(), POLLIN, 0},
                                pollfd{short_of(links_.cancel_descriptor, !is_cancelled_), POLLIN, 0}};
  auto until = calls_.deadline();
  if (patience_) until = until ? std::min(*until, *patience_) : *patience_;
  long long timeout = -1;
  if (until) {
    const auto left = std::chrono::ceil<milliseconds>(*until - steady_clock::now()).count();
    timeout = std::clamp<long long>(left, 0, 3'600'000);
  }
  if (::poll(watched.data(), watched.size(), static_cast<int>(timeout)) <= 0) return;
  if (watched[2].revents != 0) {
    eventfd_t ignored = 0;
    ::eventfd_read(links_.outbox->wake(), &ignored);
  }
  output_.drain();
  errors_.drain();
  if (watched[1].revents != 0) {
    links_.outbox->flush();
    read_messages();
  }
  if (watched[5].revents != 0) pass_on_cancellation();
  has_exited_ = watched[0].revents != 0;
}

void ChildWatch::read_messages() {
  std::array<char, 65536> buffer;
  while (is_connected_) {
    const ssize_t size = ::recv(links_.outbox->socket(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size <= 0) {
      is_connected_ = false;
      if (!patience_) patience_ = steady_clock::now() + patience_after_disconnection;
      return;
    }
    reader_.append({buffer.data(), static_cast<std::size_t>(size)});
    for (;;) {
      auto message = reader_.next();
      if (message && !*message) break;
      if (!message || !heed(**message)) {
        is_connected_ = false;
        return kill(ChildEnd::Kind::garbage);
      }
    }
  }
}

bool ChildWatch::heed(Message& message) {
  const std::string type = message.type();
  if (type == "reply") return calls_.answer(reply_of(message));
  if (type == "host_call") return heed_host_call(message);
  if (type == "host_notice") return heed_host_notice(message);
  if (type != "log") return false;
  links_.host->log(links_.host->context,
                   static_cast<std::int32_t>(number_of(message.header, "level").value_or(CLOUDAI_LOG_INFO)),
                   {message.text.data(), message.text.size()});
  return true;
}

bool ChildWatch::heed_host_call(Message& message) {
  const auto number = number_of(message.header, "call");
  // The child may be gone when the answer comes; what it asked for is then done nevertheless.
  auto answer = [outbox = links_.outbox, number](cloudai_status status, const std::string& reply) {
    outbox->send({{"type", "host_reply"}, {"call", *number}, {"status", status}}, reply);
  };
  return number &&
         links_.host_calls->start(*links_.host, text_of(message.header, "interface"),
                                  text_of(message.header, "function"), std::move(message.text), std::move(answer));
}

bool ChildWatch::heed_host_notice(const Message& message) {
  const HostNotice notice =
      host_notice(*links_.host, text_of(message.header, "interface"), text_of(message.header, "function"));
  if (notice != nullptr) notice(links_.host->context, {message.text.data(), message.text.size()});
  return notice != nullptr;
}

void ChildWatch::pass_on_cancellation() {
  is_cancelled_ = true;
  links_.outbox->send({{"type", "cancel"}}, "");
}

void ChildWatch::enforce_limits() {
  if (has_exited_) return;
  const auto now = steady_clock::now();
  if (patience_ && now >= *patience_) {
    if (killed_for_) {
      is_given_up_ = true;
    } else {
      kill(ChildEnd::Kind::disconnected);
    }
    return;
  }
  const auto deadline = calls_.deadline();
  if (deadline && now >= *deadline && !killed_for_) kill(ChildEnd::Kind::overdue);
}

void ChildWatch::kill(ChildEnd::Kind why) {
  if (killed_for_) return;
  killed_for_ = why;
  patience_ = steady_clock::now() + patience_after_kill;
  // Its whole group, which it leads: a module may have started processes of its own.
  ::kill(-links_.pid, SIGKILL);
}

void ChildWatch::reap() {
  // What it left in its group goes with it. The group's number is nobody else's until its leader is reaped.
  ::kill(-links_.pid, SIGKILL);
  int status = 0;
  const bool is_reaped = ::waitpid(links_.pid, &status, is_given_up_ ? WNOHANG : 0) == links_.pid;
  if (killed_for_ || !is_reaped) {
    return calls_.end({killed_for_.value_or(ChildEnd::Kind::disconnected), 0});
  }
  const ProcessEnd end = process_end(status);
  calls_.end(end.signal ? ChildEnd{ChildEnd::Kind::signalled, *end.signal}
                        : ChildEnd{ChildEnd::Kind::exited, end.exit_status.value_or(0)});
}

}  // namespace cloudai::module
