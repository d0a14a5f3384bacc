// The addresses of a host, within a time: a name server that does not answer must not hold anybody up.
#pragma once

#include <sys/socket.h>

#include <functional>
#include <string>
#include <vector>

#include "http.hpp"

namespace runai {

struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

struct HostLookup {
  std::vector<SocketAddress> addresses;
  std::string failure;  // why there are none
};

HostLookup look_up(const std::string& host, const std::string& port, SteadyTime deadline,
                   const std::function<bool()>& stop);

}  // namespace runai
