// How one stage of a run ended, as the scheduler saw it.
#pragma once

#include <optional>
#include <string>

#include "cloudai/documents/value.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

enum class StageKind { prologue, main, epilogue };
constexpr std::array<std::string_view, 3> enum_names(StageKind) {
  return {"prologue", "main", "epilogue"};
}

// unfinished: it started and its end was never recorded (the job was cancelled or died). skipped: it did not start.
enum class StageState { ended, skipped, unfinished };
constexpr std::array<std::string_view, 3> enum_names(StageState) {
  return {"ended", "skipped", "unfinished"};
}

enum class Gate { open, closed };
constexpr std::array<std::string_view, 2> enum_names(Gate) {
  return {"open", "closed"};
}

struct StageResult {
  std::string run;  // the id of its run, where the runs of a job have directories of their own; else empty
  StageKind kind = StageKind::main;
  std::string name;
  StageState state = StageState::ended;
  std::optional<Gate> gate;
  std::optional<int> exit_status;
  std::optional<int> signal;
  std::string failure;  // how the program failed, where that is known and its exit status is not; else empty
  // Why its output could not be fetched whole from where it ran; empty: it is all there.
  std::string output_unavailable;
  bool timed_out = false;
  bool asked_to_end = false;  // a main stage that was still running when it was asked to end (cancel, stage "main")
  std::string started;        // RFC 3339, or empty
  std::string ended;
};

inline void read(const Value& in, StageResult& out) {
  out.run = in.get_or<std::string>("run", {});
  out.kind = in.get<StageKind>("kind");
  out.name = in.get<std::string>("name");
  out.state = in.get<StageState>("state");
  out.gate = in.find<Gate>("gate");
  out.exit_status = in.find<int>("exit_status");
  out.signal = in.find<int>("signal");
  out.failure = in.get_or<std::string>("failure", {});
  out.output_unavailable = in.get_or<std::string>("output_unavailable", {});
  out.timed_out = in.get_or("timed_out", false);
  out.asked_to_end = in.get_or("asked_to_end", false);
  out.started = in.get_or<std::string>("started", {});
  out.ended = in.get_or<std::string>("ended", {});
}
inline void to_json(Json& out, const StageResult& in) {
  out = Json::object();
  put_unless_empty(out, "run", in.run);
  out["kind"] = to_string(in.kind);
  out["name"] = in.name;
  out["state"] = to_string(in.state);
  if (in.gate) out["gate"] = to_string(*in.gate);
  put_if(out, "exit_status", in.exit_status);
  put_if(out, "signal", in.signal);
  put_unless_empty(out, "failure", in.failure);
  put_unless_empty(out, "output_unavailable", in.output_unavailable);
  out["timed_out"] = in.timed_out;
  if (in.asked_to_end) out["asked_to_end"] = true;
  put_unless_empty(out, "started", in.started);
  put_unless_empty(out, "ended", in.ended);
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
