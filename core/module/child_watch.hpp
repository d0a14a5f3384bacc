// Looks after one child process from its start to its end: passes on what it says, and ends it when it must.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cloudai/abi/host.h"
#include "core/module/call_slot.hpp"
#include "core/module/descriptor.hpp"
#include "core/module/host_calls.hpp"
#include "core/module/line_log.hpp"
#include "core/module/message.hpp"
#include "core/module/outbox.hpp"

namespace cloudai::module {

// What the child is connected with, and whom it is connected to.
struct ChildLinks {
  pid_t pid = 0;  // a child of this process that leads a session of its own
  std::shared_ptr<Outbox> outbox;
  Descriptor output;
  Descriptor errors;
  std::string module_id;
  const cloudai_host* host = nullptr;  // the module's
  HostCalls* host_calls = nullptr;
  int cancel_descriptor = -1;  // becomes readable at cancellation
};

class ChildWatch {
 public:
  ChildWatch(ChildLinks links, CallSlot& calls);

  // Blocks until the child has ended and is reaped. One that even SIGKILL does not end is left alone.
  void run();

 private:
  using Moment = CallSlot::Moment;

  void wait();
  void read_messages();
  bool heed(Message& message);
  bool heed_host_call(Message& message);
  bool heed_host_notice(const Message& message);
  void pass_on_cancellation();
  void enforce_limits();
  void kill(ChildEnd::Kind why);
  void reap();

  ChildLinks links_;
  CallSlot& calls_;
  Descriptor process_;
  LineLog output_;
  LineLog errors_;
  MessageReader reader_;
  bool is_connected_ = true;
  bool is_cancelled_ = false;
  bool has_exited_ = false;
  std::optional<ChildEnd::Kind> killed_for_;
  std::optional<Moment> patience_;  // until when a child that cannot be used any more has time to end
  bool is_given_up_ = false;
};

}  // namespace cloudai::module
