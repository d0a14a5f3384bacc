#include "core/run/record.hpp"

namespace cloudai::run {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::waiting:
      return "waiting";
    case Status::submitting:
      return "submitting";
    case Status::pending:
      return "pending";
    case Status::running:
      return "running";
    case Status::collecting:
      return "collecting";
    case Status::passed:
      return "passed";
    case Status::failed:
      return "failed";
    case Status::error:
      return "error";
    case Status::inconclusive:
      return "inconclusive";
    case Status::skipped:
      return "skipped";
    case Status::cancelled:
      return "cancelled";
  }
  return "";
}

bool is_final(Status status) {
  return status >= Status::passed;
}

std::string code_of(const Error& error, std::string otherwise) {
  return is_crash(error) ? "module_crashed" : std::move(otherwise);
}

void skip_run(RunRecord& record, const Reason& reason) {
  record.status = Status::skipped;
  record.reason = reason;
  for (StageRecord& stage : record.stages) {
    stage.status = Status::skipped;
    stage.reason = reason;
  }
}

}  // namespace cloudai::run
