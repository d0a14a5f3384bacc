#include "core/module/module_host.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "core/module/forwarding_host.hpp"
#include "core/module/interface_calls.hpp"
#include "core/module/message.hpp"

namespace cloudai::module {
namespace {

// What the core asked for and is not done yet.
class Inbox {
 public:
  void put(Message message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
    changed_.notify_one();
  }

  Message take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !messages_.empty(); });
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
};

// Moves the socket away from stdin, where a module could take it for the user's input.
Descriptor take_socket() {
  struct stat standard_input {};
  if (::fstat(STDIN_FILENO, &standard_input) != 0 || !S_ISSOCK(standard_input.st_mode)) return Descriptor();
  Descriptor socket(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (socket.get() < 0 || null.get() < 0 || ::dup2(null.get(), STDIN_FILENO) < 0) return Descriptor();
  return socket;
}

void prepare_process() {
  ::prctl(PR_SET_NAME, "cloudai-module");    // the executable's name need not be the program's
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what was written before a crash should be seen
  // When the core is killed, this process goes, too, whatever the module is doing.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);  // as in the core
  std::signal(SIGXFSZ, SIG_IGN);
  // A crash must end the process with its signal, also where a sanitizer would like to tell of it.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
}

// The core is gone: so is the reason to be here, and for whatever the module has started in this process group.
[[noreturn]] void leave_with_the_core() {
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(EXIT_FAILURE);
}

// Heeds at once what cannot wait for the end of a call.
void heed(Message message, ForwardingHost& host, Inbox& inbox) {
  const std::string type = message.type();
  if (type == "cancel") return host.cancel();
  if (type != "host_reply") return inbox.put(std::move(message));
  host.answer(message.header.at("call").get<std::int64_t>(), message.header.at("status").get<cloudai_status>(),
              std::move(message.text));
}

void read_messages(int socket, ForwardingHost& host, Inbox& inbox) {
  MessageReader reader(std::numeric_limits<std::uint32_t>::max());
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t size = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) leave_with_the_core();
    reader.append({buffer.data(), static_cast<std::size_t>(size)});
    for (;;) {
      auto message = reader.next();
      if (!message) leave_with_the_core();
      if (!*message) break;
      heed(std::move(**message), host, inbox);
    }
  }
}

Result<std::unique_ptr<InterfaceCalls>> load(const std::filesystem::path& path, const Message& message,
                                             ForwardingHost& host) {
  for (const Json& id : message.header.value("host_interfaces", Json::array())) host.offer(id.get<std::string>());
  ModuleFile file;
  file.path = path;
  file.id = text_of(message.header, "id");
  file.version = text_of(message.header, "version");
  file.manifest_text = message.text;
  auto module = InProcessModule::load(file, host.host());
  if (!module) return tl::make_unexpected(std::move(module.error()));
  return InterfaceCalls::make(std::move(*module), text_of(message.header, "interface"));
}

void send_reply(ChildConnection& connection, const RawReply& reply) {
  Json header = {{"type", "reply"}, {"status", reply.status}};
  if (reply.is_too_large) header["too_large"] = true;
  if (reply.changed_directory) header["changed_directory"] = true;
  if (reply.thrown) header["thrown"] = reply.thrown->substr(0, 1000);
  connection.send(header, reply.text);
}

RawReply load_reply(const Result<std::unique_ptr<InterfaceCalls>>& loaded) {
  RawReply reply;
  reply.status = loaded ? CLOUDAI_OK : CLOUDAI_FAILED;
  if (loaded) return reply;
  const Error& error = loaded.error();
  reply.text = Json{
      {"kind", error.kind == ErrorKind::usage ? "usage" : "trouble"},
      {"message", error.message},
      {"hint",
       error.hint}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  return reply;
}

}  // namespace

int run_module_host(const std::filesystem::path& file) {
  Descriptor socket = take_socket();
  if (socket.get() < 0) {
    std::fputs("module-host is started by cloudai itself, for a module that runs in a process of its own.\n", stderr);
    return 2;
  }
  prepare_process();
  // Never destroyed: the thread that reads uses them until the process is gone.
  auto& connection = *new ChildConnection(std::move(socket));
  auto& host = *new ForwardingHost(connection);
  auto& inbox = *new Inbox();
  std::thread(read_messages, connection.socket(), std::ref(host), std::ref(inbox)).detach();

  auto calls = load(file, inbox.take(), host);
  send_reply(connection, load_reply(calls));
  for (;;) {
    const Message message = inbox.take();
    if (message.type() == "leave") break;
    if (calls) send_reply(connection, (*calls)->call(text_of(message.header, "function"), message.text));
  }
  return 0;
}

}  // namespace cloudai::module
