// A simulated Run:ai tenant on loopback. README.md tells what it does.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <thread>

#include "tests/runai_simulator/server.hpp"
#include "tests/runai_simulator/simulator.hpp"

namespace {

using namespace runai_simulator;

volatile sig_atomic_t stop_wanted = 0;

void want_stop(int) {
  stop_wanted = 1;
}

Milliseconds time_of_the_machine() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

struct Arguments {
  Start start;
  std::string release;
  std::string state;
  std::int64_t token_ttl = 0;
  pid_t owner = 0;
  bool execute = false;
  bool strict = false;
};

void describe(CLI::App& app, Arguments& arguments) {
  app.add_option("--directory", arguments.start.directory, "for the CA's certificate and what is executed")->required();
  app.add_option("--seed", arguments.start.seed, "of all that is random");
  app.add_option("--release", arguments.release, "2.18 to 3.0");
  app.add_option("--time-scale", arguments.start.time_scale,
                 "milliseconds of the tenant per real one; 0: it stands still");
  app.add_option("--state", arguments.state, "JSON, or the file it is in, to lay over the default tenant");
  app.add_option("--token-ttl", arguments.token_ttl, "seconds");
  app.add_option("--owner", arguments.owner, "ends when this process, which started it, has ended");
  app.add_flag("--execute", arguments.execute, "run the submitted commands on this machine");
  app.add_option("--path", arguments.start.path, "directory before PATH for those");
  app.add_flag("--strict", arguments.strict, "refuse unknown fields of workloads");
}

Json read_state(const std::string& text) {
  if (text.empty()) return Json::object();
  if (text.front() == '{') return Json::parse(text);
  return Json::parse(std::ifstream(text));
}

Start start_of(Arguments& arguments) {
  auto& start = arguments.start;
  start.directory = std::filesystem::absolute(start.directory);
  if (!start.path.empty()) start.path = std::filesystem::absolute(start.path);
  start.time = time_of_the_machine();
  start.state = read_state(arguments.state);
  auto& settings = start.state["settings"];
  if (!arguments.release.empty()) settings["release"] = arguments.release;
  if (arguments.token_ttl != 0) settings["tokenTtlSeconds"] = arguments.token_ttl;
  if (arguments.execute) settings["execute"] = true;
  if (arguments.strict) settings["strict"] = true;
  if (settings.is_null()) settings = Json::object();
  return start;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("Cannot write " + path.string());
}

Handlers handlers_of(Simulator& simulator) {
  return {[&](const HttpRequest& request) { return simulator.receive(request); },
          [&](const std::string& workload, const std::string& query) { return simulator.log(workload, query); },
          [&] { return simulator.log_rules(); }, [&] { return simulator.random(); }};
}

void serve(const Start& start, pid_t owner) {
  const auto certificates = make_certificates();
  const auto ca_file = start.directory / "ca.pem";
  write_file(ca_file, certificates.authority);
  Simulator simulator(start);
  const auto effect = [&] { return simulator.connection_effect(); };
  Server https(handlers_of(simulator), &certificates, effect);
  Server http(handlers_of(simulator), nullptr, effect);
  auto control_handlers = handlers_of(simulator);
  control_handlers.request = [&](const HttpRequest& request) { return simulator.control(request); };
  Server control(control_handlers, nullptr, [] { return std::string(); });
  simulator.set_authority("localhost:" + std::to_string(https.port()));
  for (auto* server : {&https, &http, &control}) server->start();
  const auto url = [](const std::string& scheme, const Server& server) {
    return scheme + "://127.0.0.1:" + std::to_string(server.port());
  };
  std::cout << Json{{"https", url("https", https)},
                    {"http", url("http", http)},
                    {"control", url("http", control)},
                    {"ca", ca_file}}
            << std::endl;
  while (stop_wanted == 0 && (owner == 0 || ::getppid() == owner)) {
    simulator.tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  simulator.kill_commands();
  // Threads still serve: there is nothing to wait for.
  ::_exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Simulates a Run:ai tenant on loopback; tells its addresses in one line of JSON."};
  Arguments arguments;
  describe(app, arguments);
  CLI11_PARSE(app, argc, argv);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGTERM, want_stop);
  ::signal(SIGINT, want_stop);
  try {
    serve(start_of(arguments), arguments.owner);
  } catch (const std::exception& error) {
    std::cerr << "runai_simulator: " << error.what() << "\n";
    return 1;
  }
}
