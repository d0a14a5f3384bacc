#include "core/module/forwarding_host.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/module/host_interfaces.hpp"
#include "core/module/message.hpp"

namespace cloudai::module {
namespace {

constexpr std::size_t most_interfaces = 8;
constexpr std::size_t most_members = 8;

// A C function for each member of each interface: nothing else tells them apart when a module calls.
template <std::size_t interface, std::size_t member>
cloudai_status forward_call(void* context, cloudai_str request, const cloudai_sink* reply) {
  return static_cast<ForwardingHost*>(context)->call(interface, member, request, reply);
}

template <std::size_t interface, std::size_t member>
void forward_notice(void* context, cloudai_str text) {
  static_cast<ForwardingHost*>(context)->tell(interface, member, text);
}

struct Forwarder {
  cloudai_call call;
  HostNotice notice;
};
using Row = std::array<Forwarder, most_members>;

template <std::size_t interface, std::size_t... members>
constexpr Row row(std::index_sequence<members...>) {
  return {Forwarder{&forward_call<interface, members>, &forward_notice<interface, members>}...};
}

template <std::size_t... interfaces>
constexpr std::array<Row, most_interfaces> rows(std::index_sequence<interfaces...>) {
  return {row<interfaces>(std::make_index_sequence<most_members>())...};
}

constexpr std::array<Row, most_interfaces> forwarders = rows(std::make_index_sequence<most_interfaces>());

}  // namespace

void ChildConnection::send(const Json& header, std::string_view text) {
  const std::string message = encoded(header, text);
  const std::lock_guard lock(mutex_);
  std::size_t written = 0;
  while (written < message.size()) {
    const ssize_t size = ::send(socket_.get(), message.data() + written, message.size() - written, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) ::_exit(EXIT_FAILURE);
    written += static_cast<std::size_t>(size);
  }
}

ForwardingHost::ForwardingHost(ChildConnection& connection)
    : connection_(connection), host_{sizeof(cloudai_host), CLOUDAI_ABI_MINOR, this, &log,
                                     &is_cancelled,        &get_interface} {
  const auto interfaces = host_interfaces();
  vtables_.resize(std::min(interfaces.size(), most_interfaces));
  for (std::size_t i = 0; i < vtables_.size(); ++i) {
    auto& bytes = vtables_[i].bytes;
    const auto size = static_cast<std::uint32_t>(interfaces[i].size);
    std::memcpy(bytes.data(), &size, sizeof size);
    for (std::size_t k = 0; k < interfaces[i].members.size(); ++k) {
      const HostMember& member = interfaces[i].members[k];
      const Forwarder& forwarder = forwarders.at(i).at(k);
      if (member.kind == HostMemberKind::call) {
        std::memcpy(&bytes.at(member.offset), &forwarder.call, sizeof forwarder.call);
      } else {
        std::memcpy(&bytes.at(member.offset), &forwarder.notice, sizeof forwarder.notice);
      }
    }
  }
}

void ForwardingHost::offer(std::string_view interface_id) {
  for (std::size_t i = 0; i < vtables_.size(); ++i) {
    if (host_interfaces()[i].id == interface_id) vtables_[i].is_offered = true;
  }
}

void ForwardingHost::log(void* context, std::int32_t level, cloudai_str message) {
  if (message.data == nullptr) return;
  static_cast<ForwardingHost*>(context)->connection_.send({{"type", "log"}, {"level", level}},
                                                          {message.data, message.size});
}

std::int32_t ForwardingHost::is_cancelled(void* context) {
  return static_cast<const ForwardingHost*>(context)->is_cancelled_ ? 1 : 0;
}

const void* ForwardingHost::get_interface(void* context, cloudai_str id) {
  const auto& self = *static_cast<const ForwardingHost*>(context);
  if (id.data == nullptr) return nullptr;
  for (std::size_t i = 0; i < self.vtables_.size(); ++i) {
    const Vtable& vtable = self.vtables_[i];
    if (vtable.is_offered && host_interfaces()[i].id == std::string_view(id.data, id.size)) return vtable.bytes.data();
  }
  return nullptr;
}

cloudai_status ForwardingHost::call(std::size_t interface, std::size_t member, cloudai_str request,
                                    const cloudai_sink* reply) {
  const HostInterface& table = host_interfaces()[interface];
  Waiting waiting;
  std::unique_lock lock(mutex_);
  const std::int64_t number = ++calls_;
  waiting_[number] = &waiting;
  lock.unlock();
  connection_.send(
      {{"type", "host_call"}, {"call", number}, {"interface", table.id}, {"function", table.members[member].name}},
      {request.data, request.size});
  lock.lock();
  answered_.wait(lock, [&] { return waiting.status.has_value(); });
  waiting_.erase(number);
  lock.unlock();
  reply->write(reply->context, {waiting.text.data(), waiting.text.size()});
  return *waiting.status;
}

void ForwardingHost::tell(std::size_t interface, std::size_t member, cloudai_str text) {
  if (text.data == nullptr) return;
  const HostInterface& table = host_interfaces()[interface];
  connection_.send({{"type", "host_notice"}, {"interface", table.id}, {"function", table.members[member].name}},
                   {text.data, text.size});
}

void ForwardingHost::answer(std::int64_t call, cloudai_status status, std::string text) {
  const std::lock_guard lock(mutex_);
  const auto found = waiting_.find(call);
  if (found == waiting_.end()) return;
  found->second->text = std::move(text);
  found->second->status = status;
  answered_.notify_all();
}

}  // namespace cloudai::module
