#include "core/module/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "core/module/child_watch.hpp"
#include "core/module/crash_text.hpp"
#include "core/module/document_text.hpp"
#include "core/module/host_interfaces.hpp"
#include "core/module/in_process_module.hpp"
#include "core/module/process_launch.hpp"

namespace cloudai::module {
namespace {

// Two ends of a pipe or of a connection.
struct Ends {
  Descriptor ours;
  Descriptor theirs;
};

Result<Ends> connection() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return trouble("no connection could be made: " + std::generic_category().message(errno) + ".");
  }
  return Ends{Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<Ends> pipe_to_here() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return trouble("no pipe could be made: " + std::generic_category().message(errno) + ".");
  }
  Ends result{Descriptor(ends[0]), Descriptor(ends[1])};
  ::fcntl(result.ours.get(), F_SETFL, O_NONBLOCK);
  return result;
}

// Of a child to be.
struct Plumbing {
  Ends socket;
  Ends output;
  Ends errors;
  Descriptor wake;
};

Result<Plumbing> plumbing() {
  Plumbing result;
  auto socket = connection();
  auto output = pipe_to_here();
  auto errors = pipe_to_here();
  for (auto* ends : {&socket, &output, &errors}) {
    if (!*ends) return tl::make_unexpected(std::move(ends->error()));
  }
  result.socket = std::move(*socket);
  result.output = std::move(*output);
  result.errors = std::move(*errors);
  result.wake.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (result.wake.get() < 0) {
    return trouble("no event could be made: " + std::generic_category().message(errno) + ".");
  }
  return result;
}

void block_all_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

Json interfaces_of(const cloudai_host& host) {
  Json ids = Json::array();
  for (const HostInterface& interface : host_interfaces()) {
    if (host.get_interface(host.context, {interface.id.data(), interface.id.size()}) != nullptr) {
      ids.push_back(interface.id);
    }
  }
  return ids;
}

// What the child says of a module that it could not load.
Error load_error(const std::string& label, const RawReply& reply) {
  const auto document = parse_document(reply.text);
  Error error{ErrorKind::trouble, document ? text_of(*document, "message") : std::string(),
              document ? text_of(*document, "hint") : std::string()};
  if (document && text_of(*document, "kind") == "usage") error.kind = ErrorKind::usage;
  if (error.message.empty()) error.message = label + " cannot be loaded, and its process does not say why.";
  return error;
}

}  // namespace

struct ChildProcess::State {
  std::string label;
  std::chrono::milliseconds leave_limit{};
  std::shared_ptr<Outbox> outbox;
  CallSlot calls;
  pid_t pid = 0;
  std::thread watcher;

  // The thread that starts the child looks after it to its end: the kernel kills the child when that thread is gone.
  void watch(ChildLinks links, Plumbing theirs, const std::filesystem::path& executable, const std::string& file,
             std::promise<Result<pid_t>> started) {
    block_all_signals();
    const auto launched = launch({{executable.string(), "module-host", file},
                                  {},
                                  {},
                                  {},
                                  theirs.socket.theirs.get(),
                                  theirs.output.theirs.get(),
                                  theirs.errors.theirs.get()});
    theirs = Plumbing();
    started.set_value(launched);
    if (!launched) return calls.end({ChildEnd::Kind::exited, 0});
    links.pid = *launched;
    ChildWatch(std::move(links), calls).run();
  }
};

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const ModuleFile& file, std::string_view interface_id,
                                                          Host& host, const ChildSettings& settings) {
  const auto cannot_start = [&](const std::string& why) {
    return trouble(fmt::format("{} cannot be given a process of its own: {}", label_of(file), why));
  };
  auto pipes = plumbing();
  if (!pipes) return cannot_start(pipes.error().message);
  auto state = std::make_unique<State>();
  state->label = label_of(file);
  state->leave_limit = settings.leave_limit;
  state->outbox = std::make_shared<Outbox>(std::move(pipes->socket.ours), std::move(pipes->wake));
  ChildLinks links{0,
                   state->outbox,
                   std::move(pipes->output.ours),
                   std::move(pipes->errors.ours),
                   file.id,
                   host.for_module(file.id),
                   &host.calls_of_children(),
                   host.cancel_descriptor()};
  std::promise<Result<pid_t>> promise;
  auto started = promise.get_future();
  try {
    state->watcher = std::thread(&State::watch, state.get(), std::move(links), std::move(*pipes), settings.executable,
                                 file.path.string(), std::move(promise));
  } catch (const std::system_error& error) {
    return cannot_start(std::string("no thread is to be had: ") + error.what() + ".");
  }
  // From here on the destructor ends it.
  std::unique_ptr<ChildProcess> child(new ChildProcess(std::move(state)));
  const Result<pid_t> pid = started.get();
  if (!pid) return cannot_start(pid.error().message);
  child->state_->pid = *pid;
  const Json load = {{"type", "load"},
                     {"id", file.id},
                     {"version", file.version},
                     {"interface", interface_id},
                     {"host_interfaces", interfaces_of(*host.for_module(file.id))}};
  const auto loaded = child->state_->calls.exchange([&] { child->state_->outbox->send(load, file.manifest_text); },
                                                    settings.load_limit);
  if (!loaded) {
    return tl::make_unexpected(crash_error(label_of(file), "while it was loaded", loaded.error(), settings.load_limit));
  }
  if (loaded->status != CLOUDAI_OK) return tl::make_unexpected(load_error(label_of(file), *loaded));
  return child;
}

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}

ChildProcess::~ChildProcess() {
  if (state_->pid > 0) {
    state_->calls.await_end([&] { state_->outbox->send({{"type", "leave"}}, ""); }, state_->leave_limit);
  }
  state_->watcher.join();
}

tl::expected<RawReply, ChildEnd> ChildProcess::call(std::string_view function, std::string_view request,
                                                    std::chrono::milliseconds limit) {
  return state_->calls.exchange(
      [&] {
        state_->outbox->send({{"type", "call"}, {"function", function}}, request);
      },
      limit);
}

std::optional<ChildEnd> ChildProcess::ended() const {
  return state_->calls.ended();
}

pid_t ChildProcess::pid() const {
  return state_->pid;
}

}  // namespace cloudai::module
