#include "tests/runai_simulator/pod_command.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/runai_simulator/phase_engine.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {
namespace {

namespace fs = std::filesystem;
using Environment = std::map<std::string, std::string>;

std::string text_of(const Json& object, const std::string& name) {
  const auto value = object.value(name, Json());
  return value.is_string() ? value.get<std::string>() : "";
}

std::vector<std::string> words_of(const Json& spec) {
  const auto line = text_of(spec, "command") + " " + text_of(spec, "args");
  return shell_words(line).value_or(std::vector<std::string>{"a quote in command or args is not closed"});
}

Environment environment_of(const Json& spec, const fs::path& directory, const std::string& path) {
  // Images of MPI programs run as root.
  Environment environment{{"PATH", path},
                          {"HOME", directory},
                          {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                          {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                          // Open MPI leaks, for which a program built with sanitizers would fail.
                          {"ASAN_OPTIONS", "detect_leaks=0"},
                          // Several ranks share a core here, which Open MPI cannot see.
                          {"OMPI_MCA_mpi_yield_when_idle", "1"}};
  const auto variables = spec.value("environmentVariables", Json());
  if (!variables.is_array()) return environment;
  for (const auto& variable : variables) environment[text_of(variable, "name")] = text_of(variable, "value");
  return environment;
}

PodCommand command_of(const Pod& pod, const Json& spec, const fs::path& directory, const std::string& path) {
  PodCommand command{pod.name, words_of(spec), environment_of(spec, directory, path), directory,
                     directory / (pod.name + ".log")};
  command.environment["HOSTNAME"] = pod.name;
  command.environment[pod_mark] = pod.id;
  return command;
}

// Open MPI calls it as ssh: [options] host command. A worker is a host name of its own, where that is allowed, and an
// environment without what the launcher's has, as a session of ssh.
void write_agent(const fs::path& file, const PodCommand& launcher) {
  std::ofstream agent(file);
  agent << "#!/bin/sh\n"
           "while [ \"${1#-}\" != \"$1\" ]; do\n"
           "  case $1 in -o | -p | -l) shift 2 ;; *) shift ;; esac\n"
           "done\n"
           "host=$1\nshift\n"
           "clean() {\n"
           "  exec env -i PATH=\"$PATH\" HOME=\"$HOME\" ASAN_OPTIONS=detect_leaks=0 "
        << pod_mark << "=" << launcher.environment.at(pod_mark)
        << " \"$@\"\n}\n"
           "if unshare --uts true 2>/dev/null; then\n"
           "  clean unshare --uts sh -c 'hostname \"$0\" && exec sh -c \"$1\"' \"$host\" \"$*\"\n"
           "fi\n"
           "clean sh -c \"$*\"\n";
  agent.close();
  fs::permissions(file, fs::perms::owner_all);
}

PodCommand launcher_command(const Workload& workload, const fs::path& directory, const std::string& path) {
  auto command = command_of(workload.pods.front(), workload.master_spec, directory, path);
  const auto slots = workload.spec.value("slotsPerWorker", Json());
  std::ofstream hosts(directory / "hostfile");
  for (const auto& pod : workload.pods) {
    if (&pod != &workload.pods.front())
      hosts << pod.name << " slots=" << (slots.is_number() ? slots.dump() : "1") << "\n";
  }
  write_agent(directory / "agent", command);
  command.environment["OMPI_MCA_orte_keep_fqdn_hostnames"] = "true";
  command.environment["OMPI_MCA_orte_default_hostfile"] = directory / "hostfile";
  command.environment["OMPI_MCA_plm_rsh_agent"] = directory / "agent";
  return command;
}

}  // namespace

std::vector<std::string> without_mpirun(const std::vector<std::string>& words) {
  static const std::set<std::string> with_one{
      "-np",      "--np",      "-n",        "--n",        "-c",        "-x",         "-N",           "-H",
      "-host",    "--host",    "-hostfile", "--hostfile", "-map-by",   "--map-by",   "-bind-to",     "--bind-to",
      "-rank-by", "--rank-by", "-wdir",     "--wdir",     "-npernode", "--npernode", "-machinefile", "--machinefile"};
  static const std::set<std::string> with_two{"-mca", "--mca", "-gmca", "--gmca"};
  const auto name = words.empty() ? "" : fs::path(words.front()).filename().string();
  if (name != "mpirun" && name != "mpiexec") return words;
  std::size_t at = 1;
  while (at < words.size() && words[at].rfind('-', 0) == 0)
    at += 1 + with_one.count(words[at]) + 2 * with_two.count(words[at]);
  return {words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size())), words.end()};
}

std::vector<PodCommand> pod_commands(const Workload& workload, const fs::path& directory, const std::string& path) {
  fs::create_directories(directory);
  const bool distributed = workload.type == "Distributed";
  const bool launcher = distributed && workload.pods.front().name == workload.name + "-launcher";
  if (launcher) return {launcher_command(workload, directory, path)};
  std::vector<PodCommand> commands;
  for (const auto& pod : workload.pods) {
    commands.push_back(command_of(pod, distributed ? workload.master_spec : workload.spec, directory, path));
    if (distributed) commands.back().words = without_mpirun(commands.back().words);
  }
  return commands;
}

}  // namespace runai_simulator
