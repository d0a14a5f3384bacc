// One accepted connection, with TLS or without, and what goes over it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tests/runai_simulator/faults.hpp"
#include "tests/runai_simulator/http.hpp"
#include "tests/runai_simulator/settings.hpp"

namespace runai_simulator {

class Connection {
 public:
  virtual ~Connection() = default;
  virtual std::size_t read(char* data, std::size_t size) = 0;  // 0: the other side has gone
  virtual bool write(std::string_view data) = 0;               // false: the other side has gone
  virtual bool readable() = 0;                                 // whether read() would not wait
  virtual void reset() = 0;                                    // closes it with a TCP reset
  virtual void close() = 0;
};

// What becomes of a request: no answer if the effect wants none.
struct Exchange {
  std::optional<Answer> answer;
  std::optional<Effect> effect;
  std::string date;
};

struct LogState {
  std::string text;       // all of it so far
  bool complete = false;  // and there will be no more
};

struct LogRules {
  std::size_t chunk = 200;
  bool binary = false;
  int ping_every = 0;
};

struct Handlers {
  std::function<Exchange(const HttpRequest&)> request;
  std::function<LogState(const std::string& workload, const std::string& query)> log;
  std::function<LogRules()> log_rules;
  std::function<std::uint64_t()> random;
};

// Serves requests until the connection ends.
void serve_http(Connection& connection, const Handlers& handlers);

// Upgrades to a WebSocket and sends the log until it is complete or the client goes.
void serve_log(Connection& connection, const Handlers& handlers, const HttpRequest& request, const Exchange& exchange);

}  // namespace runai_simulator
