#include "core/module/process_service.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include "core/module/host_context.hpp"
#include "core/module/process_launch.hpp"
#include "core/module/process_session.hpp"

namespace cloudai::module {
namespace {

constexpr double default_timeout = 60;
constexpr double longest_timeout = 365.0 * 24 * 3600;

tl::unexpected<CallFailure> failure(cloudai_status status, std::string message) {
  return tl::make_unexpected(CallFailure{status, std::move(message)});
}

tl::unexpected<CallFailure> failure(const Error& error) {
  return failure(CLOUDAI_FAILED, error.message);
}

std::vector<std::pair<std::string, std::string>> environment_of(const Json& request) {
  std::vector<std::pair<std::string, std::string>> environment;
  const Json requested = request.value("environment", Json::object());
  for (const auto& [name, value] : requested.items()) environment.emplace_back(name, value.get<std::string>());
  return environment;
}

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<long long>(std::clamp(seconds, 0.0, longest_timeout) * 1000));
}

void add_end(Json& entry, const ProcessEnd& end) {
  if (end.exit_status) entry["exit_status"] = *end.exit_status;
  if (end.signal) entry["signal"] = *end.signal;
}

// The processes of a request to inspect or terminate.
std::vector<Session> sessions_of(const Json& request) {
  std::vector<Session> sessions;
  for (const Json& process : request.at("processes")) {
    // A pid that is no pid_t must not become another process's by narrowing.
    const auto pid = process.at("pid").get<long long>();
    const bool fits = pid >= std::numeric_limits<pid_t>::min() && pid <= std::numeric_limits<pid_t>::max();
    sessions.push_back({fits ? static_cast<pid_t>(pid) : 0, process.at("start_time").get<std::string>(),
                        process.value("mark", std::string{}), process.value("marked_only", false)});
  }
  return sessions;
}

// Opens the file a detached process writes to.
tl::expected<int, CallFailure> open_output(const Json& request, const char* key) {
  const std::string path = request.value(key, std::string("/dev/null"));
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor >= 0) return descriptor;
  return failure(CLOUDAI_FAILED, "The file '" + path + "' cannot be opened for the " + key + " of a process: " +
                                     std::strerror(errno) + ".");  // NOLINT(concurrency-mt-unsafe): glibc's is safe
}

// The descriptors of a detached process, closed in this program once it has started.
struct DetachedDescriptors {
  int input = -1;
  int output = -1;
  int errors = -1;

  ~DetachedDescriptors() {
    for (const int descriptor : {input, output, errors}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  }
};

// The vtable's functions: a call as a document, behind C.
template <Reply (ProcessService::*call)(const Json&)>
cloudai_status call_from_module(void* instance, cloudai_str request, const cloudai_sink* reply) {
  Reply result;
  try {
    const auto* context = static_cast<const HostContext*>(instance);
    result = (context->processes->*call)(Json::parse(request.data, request.data + request.size));
  } catch (const Json::exception& error) {
    result = failure(CLOUDAI_INVALID_DOCUMENT,
                     std::string("The request to the process service is not valid: ") + error.what());
  } catch (const std::exception& error) {
    result = failure(CLOUDAI_FAILED, std::string("The process service failed: ") + error.what());
  }
  // What commands write need not be UTF-8; a document must be.
  const std::string text = (result ? *result : Json{{"message", result.error().message}})
                               .dump(-1, ' ', false, Json::error_handler_t::replace);
  reply->write(reply->context, {text.data(), text.size()});
  return result ? static_cast<cloudai_status>(CLOUDAI_OK) : result.error().status;
}

}  // namespace

ProcessService::ProcessService(const std::atomic<bool>& cancelled)
    : cancelled_(cancelled), cancel_descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // A program started with SIGCHLD ignored, as some daemons do, could not learn how its children ended.
  struct sigaction child_action {};
  if (::sigaction(SIGCHLD, nullptr, &child_action) == 0 && child_action.sa_handler == SIG_IGN) {
    child_action.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &child_action, nullptr);
  }
  // Descriptors 0 to 2 must be taken, or a pipe made later would be one of them and be overwritten in the child.
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) ::close(descriptor);
}

ProcessService::~ProcessService() {
  ::close(cancel_descriptor_);
}

const cloudai_host_process_v1* ProcessService::interface() {
  static constexpr cloudai_host_process_v1 functions{
      sizeof(cloudai_host_process_v1), &call_from_module<&ProcessService::run>,
      &call_from_module<&ProcessService::spawn_detached>, &call_from_module<&ProcessService::inspect>,
      &call_from_module<&ProcessService::terminate>};
  return &functions;
}

void ProcessService::cancel() {
  ::eventfd_write(cancel_descriptor_, 1);
}

std::map<std::string, std::size_t> ProcessService::command_counts() {
  const std::lock_guard lock(mutex_);
  return command_counts_;
}

Reply ProcessService::run(const Json& request) {
  Command command;
  command.argv = request.at("argv").get<std::vector<std::string>>();
  command.environment = environment_of(request);
  command.unset = request.value("unset", std::vector<std::string>{});
  command.directory = request.value("directory", std::string{});
  command.input = request.value("stdin", std::string{});
  command.timeout = milliseconds_of(request.value("timeout", default_timeout));
  if (!command.argv.empty()) {
    const std::lock_guard lock(mutex_);
    ++command_counts_[command.argv.front().substr(command.argv.front().rfind('/') + 1)];
  }
  const auto result = run_command(command, cancelled_ ? -1 : cancel_descriptor_);
  if (!result) return failure(result.error());
  if (result->cancelled) {
    return failure(CLOUDAI_CANCELLED, "The command '" + command.argv.front() + "' was ended by a cancellation.");
  }
  Json reply;
  add_end(reply, result->end);
  reply["stdout"] = result->output;
  reply["stderr"] = result->errors;
  reply["timed_out"] = result->timed_out;
  reply["seconds"] = result->duration.count();
  return reply;
}

Reply ProcessService::spawn_detached(const Json& request) {
  DetachedDescriptors descriptors;
  descriptors.input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const auto output = open_output(request, "stdout");
  if (!output) return tl::make_unexpected(output.error());
  descriptors.output = *output;
  const auto errors = open_output(request, "stderr");
  if (!errors) return tl::make_unexpected(errors.error());
  descriptors.errors = *errors;
  auto environment = environment_of(request);
  const std::string mark = request.value("mark", std::string{});
  if (!mark.empty()) environment.emplace_back(mark_variable, mark);
  const auto pid =
      launch({request.at("argv").get<std::vector<std::string>>(), std::move(environment),
              request.value("unset", std::vector<std::string>{}), request.value("directory", std::string{}),
              descriptors.input, descriptors.output, descriptors.errors});
  if (!pid) return failure(pid.error());
  // Nobody reaps the child but this class, so even a dead one is still there to be looked at.
  const auto stat = process_stat(*pid);
  const std::string start_time = stat ? stat->start_time : std::string{};
  const std::lock_guard lock(mutex_);
  children_[{*pid, start_time}] = {mark, std::nullopt};
  return Json{{"pid", *pid}, {"start_time", start_time}};
}

Json ProcessService::look_at(const Identity& identity) {
  const auto child = children_.find(identity);
  if (child != children_.end() && !child->second.end) {
    int status = 0;
    const pid_t reaped = ::waitpid(identity.first, &status, WNOHANG);
    if (reaped == 0) return {{"alive", true}};
    if (reaped == identity.first) child->second.end = process_end(status);
  }
  Json entry{{"alive", false}};
  if (child != children_.end() && child->second.end) {
    add_end(entry, *child->second.end);
    return entry;
  }
  const auto stat = identity.first > 0 ? process_stat(identity.first) : std::nullopt;
  entry["alive"] = stat && stat->start_time == identity.second && !stat->has_ended();
  return entry;
}

Reply ProcessService::inspect(const Json& request) {
  Json processes = Json::array();
  const auto sessions = sessions_of(request);
  const std::lock_guard lock(mutex_);
  for (const Session& session : sessions) processes.push_back(look_at({session.leader, session.start_time}));
  return Json{{"processes", std::move(processes)}};
}

Reply ProcessService::terminate(const Json& request) {
  const auto sessions = sessions_of(request);
  Json processes = Json::array();
  for (const SessionEnd& end : end_sessions(sessions, milliseconds_of(request.value("grace", 0.0)))) {
    Json& entry = processes.emplace_back(Json{{"ended", end.ended}, {"signalled", end.signalled}});
    if (!end.message.empty()) entry["message"] = end.message;
  }
  const std::lock_guard lock(mutex_);
  for (const Session& session : sessions) look_at({session.leader, session.start_time});
  return Json{{"processes", std::move(processes)}};
}

std::size_t ProcessService::kill_detached() {
  std::vector<Session> sessions;
  {
    const std::lock_guard lock(mutex_);
    // Also where the process itself has ended: what it started may go on.
    for (const auto& [identity, child] : children_) {
      sessions.push_back({identity.first, identity.second, child.mark, false});
    }
  }
  const auto ends = end_sessions(sessions, std::chrono::milliseconds(0));
  return static_cast<std::size_t>(
      std::count_if(ends.begin(), ends.end(), [](const SessionEnd& end) { return end.signalled > 0; }));
}

}  // namespace cloudai::module
