// Follows the output of a running workload into a file, in a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "log_text.hpp"
#include "web_socket.hpp"

namespace runai {

// How a connection ended, as web_socket.hpp says it. `on_data` gets what comes; `stop` is asked several times a second.
using LogConnection = std::function<WebSocketEnd(const std::function<void(std::string_view)>& on_data,
                                                 const std::function<bool()>& stop)>;

struct LogTimes {
  std::chrono::milliseconds first_pause{1000};  // between connections
  std::chrono::milliseconds longest_pause{30000};
  std::chrono::milliseconds silence{5000};  // of a workload that has ended: nothing comes any more
};

class LogStream {
 public:
  LogStream(LogConnection connect, const std::filesystem::path& file, LogTimes times = {});
  ~LogStream();  // leaves what has come so far
  LogStream(const LogStream&) = delete;
  LogStream& operator=(const LogStream&) = delete;

  // The workload has ended: waits, a bounded time, for what is still on its way. Empty if all of it has come, else why
  // that is not known.
  std::string finish();

  // After finish.
  LogText& text() { return text_; }

 private:
  void follow();
  bool follow_once();
  bool has_waited_enough() const;
  void rest(std::chrono::milliseconds time);

  LogConnection connect_;
  LogTimes times_;
  LogText text_;
  std::atomic<bool> is_finishing_ = false;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<std::chrono::steady_clock::rep> last_sign_{0};  // of life: data, or that finish was called
  bool was_closed_ = false;  // the last connection that told anything ended as one ends whose text is over
  bool is_whole_ = false;
  std::string trouble_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace runai
