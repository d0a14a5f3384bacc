#include "tests/slurm_cluster/cluster.hpp"

#include <unistd.h>

#include <sstream>
#include <stdexcept>

#include "tests/paths.hpp"

namespace slurm_cluster {
namespace {

namespace fs = std::filesystem;
using end_to_end::Ended;
using end_to_end::Launch;
using end_to_end::Program;
using namespace std::chrono_literals;

// The exit status of `start` on a machine that cannot run a cluster.
constexpr int impossible = 77;

std::string script(const std::string& name) {
  return tree::source_directory() + "/tests/slurm_cluster/" + name;
}

fs::path plugin() {
  return fs::path(tree::build_directory()) / "tests/container_options.so";
}

std::string trimmed(const std::string& text) {
  const auto end = text.find_last_not_of(" \n");
  return end == std::string::npos ? "" : text.substr(0, end + 1);
}

Ended run(const std::vector<std::string>& command, const fs::path& directory,
          const std::map<std::string, std::string>& environment = {}) {
  const auto scratch = directory / "commands";
  fs::create_directories(scratch);
  Launch launch;
  launch.command = command;
  launch.directory = directory;
  launch.environment = environment;
  return Program(launch, scratch).wait(180s);
}

[[noreturn]] void fail(const std::vector<std::string>& command, const Ended& ended) {
  std::string line;
  for (const auto& word : command) line += word + " ";
  throw std::runtime_error(line + "ended with status " + std::to_string(ended.exit_status) + ": " + ended.err);
}

}  // namespace

std::unique_ptr<Cluster> Cluster::start(const Options& options, const fs::path& directory, std::string& why_not) {
  if (!fs::exists(plugin())) {
    why_not =
        "No Slurm cluster on this machine: libslurm-dev was missing when the tests were built; scripts/setup --tests "
        "installs it.";
    return nullptr;
  }
  std::vector<std::string> command{script("start"), directory.string(),
                                   "--owner",       std::to_string(::getpid()),
                                   "--nodes",       std::to_string(options.nodes),
                                   "--plugin",      plugin().string()};
  if (options.accounting) command.emplace_back("--accounting");
  if (options.memory_limits) command.emplace_back("--memory-limits");
  for (const auto& setting : options.settings) command.insert(command.end(), {"--set", setting});
  fs::create_directories(directory);
  const auto ended = run(command, directory);
  if (ended.exit_status == impossible) {
    why_not = trimmed(ended.err);
    return nullptr;
  }
  std::unique_ptr<Cluster> cluster(new Cluster(directory));
  if (ended.exit_status != 0) fail(command, ended);
  return cluster;
}

Cluster::~Cluster() {
  run({script("stop"), directory_.string()}, directory_);
}

Ended Cluster::command(const std::vector<std::string>& command,
                       const std::map<std::string, std::string>& environment) const {
  auto with_cluster = environment;
  with_cluster["SLURM_CONF"] = configuration().string();
  return run(command, directory_, with_cluster);
}

std::string Cluster::ask(const std::vector<std::string>& command) const {
  const auto ended = this->command(command);
  if (ended.exit_status != 0) fail(command, ended);
  return trimmed(ended.out);
}

std::vector<std::string> Cluster::queue() const {
  std::istringstream lines(ask({"squeue", "--noheader", "--format=%A"}));
  std::vector<std::string> ids;
  for (std::string id; lines >> id;) ids.push_back(id);
  return ids;
}

std::string Cluster::field_of_job(const std::string& id, const std::string& field) const {
  std::istringstream words(command({"scontrol", "--oneliner", "show", "job", id}).out);
  for (std::string word; words >> word;) {
    if (word.rfind(field + "=", 0) == 0) return word.substr(field.size() + 1);
  }
  return "";
}

void Cluster::control(const std::string& action, const std::string& part) const {
  const std::vector<std::string> command{script("daemon"), action, directory_.string(), part};
  const auto ended = run(command, directory_);
  if (ended.exit_status != 0) fail(command, ended);
}

void Cluster::stop_node(const std::string& name) const {
  control("stop", name);
}
void Cluster::start_node(const std::string& name) const {
  control("start", name);
}
void Cluster::stop_controller() const {
  control("stop", "slurmctld");
}
void Cluster::start_controller() const {
  control("start", "slurmctld");
}

}  // namespace slurm_cluster
