// The host as a module in a child process sees it: everything it asks goes to the core's process.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloudai/abi/host.h"
#include "core/module/descriptor.hpp"
#include "core/support/json.hpp"

namespace cloudai::module {

// The child's end of the connection, for writing. Any thread.
class ChildConnection {
 public:
  explicit ChildConnection(Descriptor socket) : socket_(std::move(socket)) {}

  // Blocks until all is written. If nobody is there to read it, the process has no purpose any more and ends.
  void send(const Json& header, std::string_view text);

  int socket() const { return socket_.get(); }

 private:
  std::mutex mutex_;
  Descriptor socket_;
};

// Lives as long as the process. Any thread.
class ForwardingHost {
 public:
  explicit ForwardingHost(ChildConnection& connection);
  ForwardingHost(const ForwardingHost&) = delete;
  ForwardingHost& operator=(const ForwardingHost&) = delete;

  const cloudai_host& host() const { return host_; }

  // From now on get_interface has the interface of this id. Before the module is loaded.
  void offer(std::string_view interface_id);

  void cancel() { is_cancelled_ = true; }
  // The reply to a call of this number has arrived.
  void answer(std::int64_t call, cloudai_status status, std::string text);

  // Calls a member of a host interface, or tells it something, by their numbers in host_interfaces().
  cloudai_status call(std::size_t interface, std::size_t member, cloudai_str request, const cloudai_sink* reply);
  void tell(std::size_t interface, std::size_t member, cloudai_str text);

 private:
  struct Waiting {
    std::optional<cloudai_status> status;
    std::string text;
  };
  // The struct of one host interface, laid out as its header says.
  struct alignas(std::max_align_t) Vtable {
    std::array<std::byte, 128> bytes{};
    bool is_offered = false;
  };

  static void log(void* context, std::int32_t level, cloudai_str message);
  static std::int32_t is_cancelled(void* context);
  static const void* get_interface(void* context, cloudai_str id);

  ChildConnection& connection_;
  cloudai_host host_;
  std::vector<Vtable> vtables_;
  std::atomic<bool> is_cancelled_{false};
  std::mutex mutex_;
  std::condition_variable answered_;
  std::int64_t calls_ = 0;
  std::map<std::int64_t, Waiting*> waiting_;
};

}  // namespace cloudai::module
