// The host's interfaces on both sides of a child process, without one.
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <array>
#include <future>

#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"
#include "core/module/forwarding_host.hpp"
#include "core/module/host_calls.hpp"
#include "core/module/host_interfaces.hpp"
#include "core/module/message.hpp"

namespace cloudai::module {
namespace {

// A connection whose other end is the test's.
struct Wire {
  Wire() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    ours.reset(ends[0]);
    connection = std::make_unique<ChildConnection>(Descriptor(ends[1]));
    host = std::make_unique<ForwardingHost>(*connection);
  }

  // The next message of the child.
  Message read() {
    for (;;) {
      auto message = reader.next().value();
      if (message) return *message;
      std::array<char, 1024> buffer;
      const auto size = ::recv(ours.get(), buffer.data(), buffer.size(), 0);
      if (size <= 0) return {};
      reader.append({buffer.data(), static_cast<std::size_t>(size)});
    }
  }

  template <class Interface>
  const Interface* interface_of(std::string_view id) const {
    const cloudai_host& seen = host->host();
    return static_cast<const Interface*>(seen.get_interface(seen.context, {id.data(), id.size()}));
  }

  Descriptor ours;
  std::unique_ptr<ChildConnection> connection;
  std::unique_ptr<ForwardingHost> host;
  MessageReader reader{1000};
};

void append(void* text, cloudai_str chunk) {
  static_cast<std::string*>(text)->append(chunk.data, chunk.size);
}

TEST(ForwardingHost, HasWhatTheCoreOffersAndNothingElse) {
  Wire wire;
  EXPECT_EQ(wire.interface_of<cloudai_host_counter_v1>(CLOUDAI_HOST_COUNTER_V1), nullptr);
  wire.host->offer(CLOUDAI_HOST_COUNTER_V1);
  ASSERT_NE(wire.interface_of<cloudai_host_counter_v1>(CLOUDAI_HOST_COUNTER_V1), nullptr);
  EXPECT_EQ(wire.interface_of<cloudai_host_counter_v1>(CLOUDAI_HOST_COUNTER_V1)->struct_size,
            sizeof(cloudai_host_counter_v1));
  EXPECT_EQ(wire.interface_of<cloudai_host_process_v1>(CLOUDAI_HOST_PROCESS_V1), nullptr);
}

TEST(ForwardingHost, PassesNoticesOn) {
  Wire wire;
  wire.host->offer(CLOUDAI_HOST_COUNTER_V1);
  const auto* counter = wire.interface_of<cloudai_host_counter_v1>(CLOUDAI_HOST_COUNTER_V1);
  counter->count(wire.host->host().context, {"GET jobs", 8});
  const Message message = wire.read();
  EXPECT_EQ(message.header.dump(), R"({"type":"host_notice","interface":"cloudai.host.counter/1","function":"count"})");
  EXPECT_EQ(message.text, "GET jobs");
}

TEST(ForwardingHost, WaitsForTheAnswerToItsOwnCall) {
  Wire wire;
  wire.host->offer(CLOUDAI_HOST_PROCESS_V1);
  const auto* processes = wire.interface_of<cloudai_host_process_v1>(CLOUDAI_HOST_PROCESS_V1);
  std::string reply;
  auto call = std::async(std::launch::async, [&] {
    const cloudai_sink sink{&reply, &append};
    return processes->terminate(wire.host->host().context, {"{}", 2}, &sink);
  });
  const Message message = wire.read();
  EXPECT_EQ(message.header.dump(),
            R"({"type":"host_call","call":1,"interface":"cloudai.host.process/1","function":"terminate"})");
  wire.host->answer(7, CLOUDAI_OK, "of another");
  wire.host->answer(1, CLOUDAI_FAILED, "{\"message\":\"no.\"}");
  EXPECT_EQ(call.get(), CLOUDAI_FAILED);
  EXPECT_EQ(reply, "{\"message\":\"no.\"}");
}

// A host with a counter and no process service, as the core sees it.
struct CountingHost {
  std::string counted;
  cloudai_host host{sizeof(cloudai_host), CLOUDAI_ABI_MINOR, this, nullptr, nullptr, &get_interface};

  static void count(void* context, cloudai_str what) {
    static_cast<CountingHost*>(context)->counted.append(what.data, what.size);
  }
  static const void* get_interface(void*, cloudai_str id) {
    static constexpr cloudai_host_counter_v1 counter{sizeof(cloudai_host_counter_v1), &count};
    return std::string_view(id.data, id.size) == CLOUDAI_HOST_COUNTER_V1 ? &counter : nullptr;
  }
};

TEST(HostInterfaces, AreFoundByNameAndType) {
  CountingHost core;
  const HostNotice notice = host_notice(core.host, CLOUDAI_HOST_COUNTER_V1, "count");
  ASSERT_NE(notice, nullptr);
  notice(core.host.context, {"x", 1});
  EXPECT_EQ(core.counted, "x");
  EXPECT_EQ(host_call(core.host, CLOUDAI_HOST_COUNTER_V1, "count"), nullptr);
  EXPECT_EQ(host_notice(core.host, CLOUDAI_HOST_COUNTER_V1, "run"), nullptr);
  EXPECT_EQ(host_call(core.host, CLOUDAI_HOST_PROCESS_V1, "run"), nullptr);
  HostCalls calls;
  EXPECT_FALSE(calls.start(core.host, CLOUDAI_HOST_PROCESS_V1, "run", "{}", {}));
}

}  // namespace
}  // namespace cloudai::module
