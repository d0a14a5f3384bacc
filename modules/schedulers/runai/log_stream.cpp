#include "log_stream.hpp"

#include <algorithm>

namespace runai {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// So many connections are tried once the workload has ended.
constexpr int last_attempts = 3;
constexpr int not_found = 404;

}  // namespace

LogStream::LogStream(LogConnection connect, const std::filesystem::path& file, LogTimes times)
    : connect_(std::move(connect)), times_(times), text_(file) {
  thread_ = std::thread([this] { follow(); });
}

LogStream::~LogStream() {
  is_stopping_ = true;
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool LogStream::has_waited_enough() const {
  if (is_stopping_) return true;
  const steady_clock::duration silence =
      steady_clock::now().time_since_epoch() - steady_clock::duration(last_sign_.load());
  return is_finishing_ && silence > times_.silence;
}

void LogStream::rest(milliseconds time) {
  const bool was_finishing = is_finishing_;
  const auto end = steady_clock::now() + time;
  std::unique_lock lock(mutex_);
  // Once the workload has ended nothing is waited for but what is on its way.
  while (!is_stopping_ && steady_clock::now() < end && (was_finishing || !is_finishing_)) {
    wake_.wait_for(lock, milliseconds(50));
  }
}

// One connection; true if nothing more is to come.
bool LogStream::follow_once() {
  const bool was_finishing = is_finishing_;
  const auto size_before = text_.size();
  bool has_told = false;
  // Each connection has its own time.
  last_sign_ = steady_clock::now().time_since_epoch().count();
  text_.begin();
  const WebSocketEnd end = connect_(
      [&](std::string_view text) {
        has_told = has_told || !text.empty();
        last_sign_ = steady_clock::now().time_since_epoch().count();
        text_.add(text);
      },
      [this] { return has_waited_enough(); });
  text_.end();
  if (is_stopping_) return false;
  switch (end.kind) {
    case WebSocketEnd::Kind::closed:
      was_closed_ = true;
      trouble_.clear();
      // Before the workload has ended, a server says so as well when it is restarted; and of a text that is there it
      // may say that it is empty.
      return is_finishing_ && text_.size() > 0;
    case WebSocketEnd::Kind::stopped:
      // Silent although the workload has ended. A connection may be dead without anybody having noticed; a second one
      // that tells the same, and nothing more, is not.
      trouble_ = "the log did not end with its workload";
      return was_finishing && has_told && text_.size() == size_before;
    case WebSocketEnd::Kind::refused:
      trouble_ = end.text;
      // The pods are gone. What the last connection told was whole if the server said that it was.
      return is_finishing_ && end.status == not_found && was_closed_;
    default:
      was_closed_ = false;
      trouble_ = end.text;
      return false;
  }
}

void LogStream::follow() {
  milliseconds pause = times_.first_pause;
  int attempts = 0;
  while (!is_stopping_) {
    const auto size_before = text_.size();
    if (follow_once()) {
      is_whole_ = true;
      return;
    }
    if (is_finishing_ && ++attempts >= last_attempts) {
      is_whole_ = trouble_.empty() && was_closed_;
      return;
    }
    if (text_.size() > size_before || is_finishing_) pause = times_.first_pause;
    rest(pause);
    pause = std::min(2 * pause, times_.longest_pause);
  }
}

std::string LogStream::finish() {
  last_sign_ = steady_clock::now().time_since_epoch().count();
  is_finishing_ = true;
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  return is_whole_ ? std::string() : trouble_.empty() ? "the log was not reached" : trouble_;
}

}  // namespace runai
