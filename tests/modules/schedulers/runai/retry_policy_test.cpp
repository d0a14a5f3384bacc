#include "retry_policy.hpp"

#include <gtest/gtest.h>

#include <ctime>

namespace runai {
namespace {

using std::chrono::milliseconds;

// A condition, or a status, and what it means for each kind of call.
struct Row {
  const char* what;
  Condition condition;
  int status;
  Action get;
  Action change;
  Action create;
  Action token;
};

class RetryTable : public ::testing::TestWithParam<Row> {};

TEST_P(RetryTable, SaysWhatToDo) {
  const Row& row = GetParam();
  EXPECT_EQ(action_for(Call::get, row.condition, row.status), row.get) << row.what;
  EXPECT_EQ(action_for(Call::change, row.condition, row.status), row.change) << row.what;
  EXPECT_EQ(action_for(Call::create, row.condition, row.status), row.create) << row.what;
  EXPECT_EQ(action_for(Call::token, row.condition, row.status), row.token) << row.what;
}

constexpr auto by_status = Condition::status;
INSTANTIATE_TEST_SUITE_P(
    All, RetryTable,
    ::testing::Values(
        Row{"no connection", Condition::not_sent, 0, Action::retry, Action::retry, Action::retry, Action::retry},
        Row{"reset", Condition::broken, 0, Action::retry, Action::retry, Action::reconcile, Action::retry},
        Row{"no JSON, no id", Condition::unusable, 202, Action::retry, Action::retry, Action::reconcile, Action::fail},
        Row{"certificate", Condition::bad_certificate, 0, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"too large", Condition::too_large, 0, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"elsewhere", Condition::redirected, 301, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"ok", by_status, 200, Action::accept, Action::accept, Action::accept, Action::accept},
        Row{"accepted", by_status, 202, Action::accept, Action::accept, Action::accept, Action::accept},
        Row{"nothing to say", by_status, 204, Action::accept, Action::accept, Action::accept, Action::accept},
        Row{"400", by_status, 400, Action::fail, Action::fail, Action::fail, Action::next_grant},
        Row{"401", by_status, 401, Action::renew_token, Action::renew_token, Action::renew_token, Action::fail},
        Row{"403", by_status, 403, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"404", by_status, 404, Action::not_there, Action::not_there, Action::fail, Action::next_grant},
        Row{"405", by_status, 405, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"409", by_status, 409, Action::fail, Action::retry, Action::conflict, Action::fail},
        Row{"413", by_status, 413, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"422", by_status, 422, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"429", by_status, 429, Action::retry, Action::retry, Action::retry, Action::retry},
        Row{"500", by_status, 500, Action::retry, Action::retry, Action::reconcile, Action::retry},
        Row{"501", by_status, 501, Action::fail, Action::fail, Action::fail, Action::fail},
        Row{"502", by_status, 502, Action::retry, Action::retry, Action::reconcile, Action::retry},
        Row{"503", by_status, 503, Action::retry, Action::retry, Action::reconcile, Action::retry},
        Row{"504", by_status, 504, Action::retry, Action::retry, Action::reconcile, Action::retry},
        Row{"999", by_status, 999, Action::fail, Action::fail, Action::fail, Action::fail}),
    [](const auto& row) { return "Row" + std::to_string(row.index) + "Status" + std::to_string(row.param.status); });

TEST(Retry, AttemptsAreCounted) {
  EXPECT_EQ(attempts_of(Call::get), 5);
  EXPECT_EQ(attempts_of(Call::create), 5);
  EXPECT_EQ(attempts_of(Call::token), 3);
}

TEST(Retry, PausesDoubleUpToHalfAMinute) {
  EXPECT_EQ(backoff(1, 1.0), milliseconds(500));
  EXPECT_EQ(backoff(2, 1.0), milliseconds(1000));
  EXPECT_EQ(backoff(3, 0.5), milliseconds(1000));
  EXPECT_EQ(backoff(7, 1.0), milliseconds(30000));
  EXPECT_EQ(backoff(1000, 1.0), milliseconds(30000));
  EXPECT_EQ(backoff(4, 0.0), milliseconds(0));
}

TEST(Retry, AServerSaysWhenToComeBack) {
  EXPECT_EQ(retry_after("5", ""), milliseconds(5000));
  EXPECT_EQ(retry_after("0", ""), milliseconds(0));
  EXPECT_EQ(retry_after("-3", ""), milliseconds(0));
  EXPECT_EQ(retry_after("86400", ""), milliseconds(60000));
  EXPECT_EQ(retry_after("999999999999999999999", ""), milliseconds(60000));
  EXPECT_EQ(retry_after("Tue, 03 Feb 2026 04:00:30 GMT", "Tue, 03 Feb 2026 04:00:00 GMT"), milliseconds(30000));
  EXPECT_EQ(retry_after("Tue, 03 Feb 2026 03:00:30 GMT", "Tue, 03 Feb 2026 04:00:00 GMT"), milliseconds(0));
  EXPECT_EQ(retry_after("Tue, 03 Feb 2099 04:00:30 GMT", ""), milliseconds(60000));
  for (const char* nonsense : {"", "soon", "5 s", "Tue, 99 Feb"}) EXPECT_FALSE(retry_after(nonsense, "")) << nonsense;
}

TEST(Retry, DatesOfServersAreRead) {
  EXPECT_EQ(parse_http_date("Thu, 01 Jan 1970 00:01:00 GMT"), 60);
  EXPECT_EQ(parse_http_date("Tue, 03 Feb 2026 04:00:00 GMT"), 1770091200);
  EXPECT_FALSE(parse_http_date("2026-02-03T04:00:00Z"));
}

}  // namespace
}  // namespace runai
