// Listens on loopback ports that the system picks; each connection has a thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tests/runai_simulator/certificates.hpp"
#include "tests/runai_simulator/connection.hpp"

namespace runai_simulator {

class Server {
 public:
  // With certificates it speaks TLS. `effect` is asked for every connection.
  Server(Handlers handlers, const Certificates* certificates, std::function<std::string()> effect);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  // Takes connections until the process ends.
  void start();

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace runai_simulator
