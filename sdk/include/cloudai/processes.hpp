// Running commands through the host: its interface "cloudai.host.process/1" (cloudai/abi/host_process.h) with types.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloudai/abi/host_process.h"
#include "cloudai/detail/call.hpp"
#include "cloudai/documents/value.hpp"
#include "cloudai/host.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

struct ProcessCommand {
  std::vector<std::string> argv;  // argv[0] without a slash is looked up in PATH
  std::string stdin_text;
  std::map<std::string, std::string> environment;  // added to the host's
  std::vector<std::string> unset;                  // variables of the host's that the command does not get
  std::string directory;                           // empty: the host's
  double timeout = 60;                             // seconds
};

struct ProcessResult {
  std::optional<int> exit_status;
  std::optional<int> signal;
  std::string stdout_text;
  std::string stderr_text;
  bool timed_out = false;
  double seconds = 0;
};

struct DetachedCommand {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;
  std::string directory;
  std::string stdout_path;  // empty: /dev/null
  std::string stderr_path;
  // By this its descendants are found in whatever session (CLOUDAI_PROCESS_MARK of their environment); empty: they are
  // not. The process may append "/" and more to it for the descendants of a part of its work.
  std::string mark;
};

// Names a process also after its pid was used again.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::string start_time;
};

// What `terminate` ends: the session the process leads, and what bears its mark. With `marked_only`, that alone.
struct ProcessFamily {
  ProcessIdentity leader;
  std::string mark;
  bool marked_only = false;
};

struct ProcessState {
  bool alive = false;
  std::optional<int> exit_status;  // known only to the host that started it
  std::optional<int> signal;
};

struct ProcessEnd {
  bool ended = false;
  int signalled = 0;  // how many processes were sent a signal
  std::string message;
};

// Throws Error: what a command could not be started for, or that the host asked to stop.
class Processes {
 public:
  // Throws Error(unsupported) if the host does not run commands.
  Processes();

  // Runs a command to its end, or to its time-out.
  ProcessResult run(const ProcessCommand& command) const;

  // Starts a process that outlives the host, in a session of its own.
  ProcessIdentity spawn_detached(const DetachedCommand& command) const;

  // Whether each still runs, in the same order.
  std::vector<ProcessState> inspect(const std::vector<ProcessIdentity>& processes) const;

  // SIGTERM to all processes of the families, then, to what is left after `grace` seconds, SIGKILL.
  std::vector<ProcessEnd> terminate(const std::vector<ProcessFamily>& families, double grace) const;

 private:
  Json call(cloudai_call function, const Json& request) const {
    return detail::call_function(function, host().context(), request);
  }

  const cloudai_host_process_v1* functions_;
};

inline void read(const Value& in, ProcessResult& out) {
  out.exit_status = in.find<int>("exit_status");
  out.signal = in.find<int>("signal");
  out.stdout_text = in.get<std::string>("stdout");
  out.stderr_text = in.get<std::string>("stderr");
  out.timed_out = in.get<bool>("timed_out");
  out.seconds = in.get_or("seconds", 0.0);
}

inline void read(const Value& in, ProcessIdentity& out) {
  out.pid = in.get<std::int64_t>("pid");
  out.start_time = in.get<std::string>("start_time");
}
inline void to_json(Json& out, const ProcessIdentity& in) {
  out = Json{{"pid", in.pid}, {"start_time", in.start_time}};
}

inline void to_json(Json& out, const ProcessFamily& in) {
  out = Json(in.leader);
  put_unless_empty(out, "mark", in.mark);
  if (in.marked_only) out["marked_only"] = true;
}

inline void read(const Value& in, ProcessState& out) {
  out.alive = in.get<bool>("alive");
  out.exit_status = in.find<int>("exit_status");
  out.signal = in.find<int>("signal");
}

inline void read(const Value& in, ProcessEnd& out) {
  out.ended = in.get<bool>("ended");
  out.signalled = in.get_or("signalled", 0);
  out.message = in.get_or<std::string>("message", {});
}

inline Processes::Processes()
    : functions_(static_cast<const cloudai_host_process_v1*>(host().get_interface(CLOUDAI_HOST_PROCESS_V1))) {
  if (functions_ == nullptr || functions_->struct_size < sizeof(cloudai_host_process_v1)) {
    throw Error(Status::unsupported, "The host does not offer " CLOUDAI_HOST_PROCESS_V1 ".", "Update cloudai.");
  }
}

inline ProcessResult Processes::run(const ProcessCommand& command) const {
  Json request = Json::object();
  request["argv"] = command.argv;
  put_unless_empty(request, "stdin", command.stdin_text);
  put_unless_empty(request, "environment", command.environment);
  put_unless_empty(request, "unset", command.unset);
  put_unless_empty(request, "directory", command.directory);
  request["timeout"] = command.timeout;
  return from_json<ProcessResult>(call(functions_->run, request));
}

inline ProcessIdentity Processes::spawn_detached(const DetachedCommand& command) const {
  Json request = Json::object();
  request["argv"] = command.argv;
  put_unless_empty(request, "environment", command.environment);
  put_unless_empty(request, "directory", command.directory);
  put_unless_empty(request, "stdout", command.stdout_path);
  put_unless_empty(request, "stderr", command.stderr_path);
  put_unless_empty(request, "mark", command.mark);
  return from_json<ProcessIdentity>(call(functions_->spawn_detached, request));
}

inline std::vector<ProcessState> Processes::inspect(const std::vector<ProcessIdentity>& processes) const {
  Json request = Json::object();
  request["processes"] = processes;
  const Json reply = call(functions_->inspect, request);
  return Value(reply).get<std::vector<ProcessState>>("processes");
}

inline std::vector<ProcessEnd> Processes::terminate(const std::vector<ProcessFamily>& families, double grace) const {
  Json request = Json::object();
  request["processes"] = families;
  request["grace"] = grace;
  const Json reply = call(functions_->terminate, request);
  return Value(reply).get<std::vector<ProcessEnd>>("processes");
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
