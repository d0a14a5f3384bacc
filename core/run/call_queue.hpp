// Calls to an object that takes one at a time. They block, so they run beside the event loop, and what is urgent does
// not wait behind everything that was asked for before.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <deque>
#include <functional>
#include <utility>

namespace cloudai::run {

// Of the calls that wait, the first of the most urgent ones is next.
enum class Urgency { urgent, usual, idle };

// Every member function is for the loop's thread alone.
class CallQueue {
 public:
  CallQueue(boost::asio::io_context& loop, boost::asio::thread_pool& workers) : loop_(loop), workers_(workers) {}
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  // Runs `call` on a worker, when it is its turn, and then `then` with its result on the loop.
  template <class Call, class Then>
  void post(Urgency urgency, Call call, Then then) {
    waiting_[static_cast<std::size_t>(urgency)].push_back(
        [this, call = std::move(call), then = std::move(then)]() mutable {
          boost::asio::post(workers_, [this, call = std::move(call), then = std::move(then)]() mutable {
            auto result = call();
            boost::asio::post(loop_, [this, result = std::move(result), then = std::move(then)]() mutable {
              // What it asks for is there when the next one is chosen.
              then(std::move(result));
              is_busy_ = false;
              start_next();
            });
          });
        });
    start_next();
  }

 private:
  void start_next() {
    if (is_busy_) return;
    for (auto& calls : waiting_) {
      if (calls.empty()) continue;
      is_busy_ = true;
      const auto start = std::move(calls.front());
      calls.pop_front();
      return start();
    }
  }

  boost::asio::io_context& loop_;
  boost::asio::thread_pool& workers_;
  std::array<std::deque<std::function<void()>>, 3> waiting_;  // by urgency
  bool is_busy_ = false;
};

}  // namespace cloudai::run
