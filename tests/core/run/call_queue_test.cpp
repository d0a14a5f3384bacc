#include "core/run/call_queue.hpp"

#include <gmock/gmock.h>

#include <future>
#include <string>
#include <vector>

namespace cloudai::run {
namespace {

using testing::ElementsAre;

class CallQueueTest : public testing::Test {
 protected:
  // Notes when the call runs, one at a time, and ends the loop with the last of `total` calls.
  void call(Urgency urgency, const std::string& name) {
    ++total_;
    queue_.post(
        urgency,
        [this, name] {
          order_.push_back(name);
          return name + " done";
        },
        [this](const std::string& result) {
          results_.push_back(result);
          if (results_.size() == total_) loop_.stop();
        });
  }

  boost::asio::io_context loop_{1};
  boost::asio::thread_pool workers_{3};
  CallQueue queue_{loop_, workers_};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keep_running_{loop_.get_executor()};
  std::size_t total_ = 0;
  std::vector<std::string> order_;
  std::vector<std::string> results_;
};

TEST_F(CallQueueTest, WhatIsUrgentDoesNotWaitBehindTheRest) {
  std::promise<void> all_are_asked_for;
  ++total_;
  queue_.post(
      Urgency::usual,
      [&] {
        all_are_asked_for.get_future().wait();
        return 0;
      },
      [this](int) { results_.emplace_back("first"); });
  call(Urgency::idle, "prepare 1");
  call(Urgency::usual, "submit 1");
  call(Urgency::usual, "submit 2");
  call(Urgency::idle, "prepare 2");
  call(Urgency::urgent, "poll");
  call(Urgency::urgent, "cancel");
  all_are_asked_for.set_value();
  loop_.run();
  EXPECT_THAT(order_, ElementsAre("poll", "cancel", "submit 1", "submit 2", "prepare 1", "prepare 2"));
  EXPECT_THAT(results_, ElementsAre("first", "poll done", "cancel done", "submit 1 done", "submit 2 done",
                                    "prepare 1 done", "prepare 2 done"));
}

TEST_F(CallQueueTest, ACallMayBeAskedForByTheOneBefore) {
  total_ = 1;
  queue_.post(
      Urgency::idle, [] { return 1; },
      [this](int) {
        call(Urgency::idle, "prepare");
        call(Urgency::usual, "submit");
        results_.emplace_back("first");
      });
  loop_.run();
  EXPECT_THAT(order_, ElementsAre("submit", "prepare"));
}

}  // namespace
}  // namespace cloudai::run
