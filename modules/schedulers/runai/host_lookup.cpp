#include "host_lookup.hpp"

#include <netdb.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

namespace runai {
namespace {

struct Question {
  std::mutex mutex;
  std::condition_variable answered;
  bool is_answered = false;
  HostLookup answer;
};

HostLookup ask(const std::string& host, const std::string& port) {
  HostLookup lookup;
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int status = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &list);
  if (status != 0) {
    lookup.failure = "the address of '" + host + "' is not known: " + ::gai_strerror(status);
    return lookup;
  }
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    SocketAddress address;
    if (entry->ai_addrlen > sizeof address.bytes) continue;
    std::memcpy(&address.bytes, entry->ai_addr, entry->ai_addrlen);
    address.size = entry->ai_addrlen;
    lookup.addresses.push_back(address);
  }
  ::freeaddrinfo(list);
  if (lookup.addresses.empty()) lookup.failure = "'" + host + "' has no address";
  return lookup;
}

}  // namespace

HostLookup look_up(const std::string& host, const std::string& port, SteadyTime deadline,
                   const std::function<bool()>& stop) {
  const auto question = std::make_shared<Question>();
  // getaddrinfo cannot be interrupted: who waits for it leaves, and what it answers then is nobody's.
  std::thread([question, host, port] {
    HostLookup answer = ask(host, port);
    const std::lock_guard lock(question->mutex);
    question->answer = std::move(answer);
    question->is_answered = true;
    question->answered.notify_all();
  }).detach();
  std::unique_lock lock(question->mutex);
  while (!question->is_answered) {
    if (std::chrono::steady_clock::now() >= deadline) return {{}, "no name server told the address of '" + host + "'"};
    if (stop()) return {{}, "the search for the address of '" + host + "' was ended"};
    question->answered.wait_for(lock, std::chrono::milliseconds(50));
  }
  return std::move(question->answer);
}

}  // namespace runai
