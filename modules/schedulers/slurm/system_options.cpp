#include "system_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"
#include "host_list.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using cloudai::Json;
using cloudai::Status;
using cloudai::Value;

std::string in_quotes(std::string_view text) {
  return "'" + cloudai::one_line(text) + "'";
}

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw Error(Status::invalid_config, message, hint);
}

Group read_group(const Value& in, const std::string& partition) {
  Group group{in.get<std::string>("name"), {}};
  for (const auto& list : in.get_or<std::vector<std::string>>("nodes", {})) {
    try {
      for (std::string& name : expand_host_list(list)) {
        if (std::find(group.nodes.begin(), group.nodes.end(), name) == group.nodes.end()) group.nodes.push_back(name);
      }
    } catch (const Error& error) {
      refuse("Group " + in_quotes(group.name) + " of partition " + in_quotes(partition) + ": " + error.message(),
             error.hint());
    }
  }
  return group;
}

template <class Named>
void add_once(std::vector<Named>& entries, Named entry, const std::string& what) {
  if (std::any_of(entries.begin(), entries.end(), [&](const Named& other) { return other.name == entry.name; })) {
    refuse(what + " " + in_quotes(entry.name) + " is there twice in the system file.", "Give each its own name.");
  }
  entries.push_back(std::move(entry));
}

std::vector<Partition> read_partitions(const Value& in) {
  std::vector<Partition> partitions;
  for (const Json& entry : in.get_or<std::vector<Json>>("partitions", {})) {
    const Value value(entry);
    Partition partition{value.get<std::string>("name"), {}};
    for (const Json& group : value.get_or<std::vector<Json>>("groups", {})) {
      add_once(partition.groups, read_group(Value(group), partition.name),
               "Of partition " + in_quotes(partition.name) + ", the group");
    }
    add_once(partitions, std::move(partition), "Partition");
  }
  return partitions;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.empty()) return words;
    const size_t end = std::min(text.find_first_of(" \t"), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// True if `word` is the option, also shortened to no less than `shortest`, as getopt allows: "--job-n=x".
bool is_long_option(std::string_view word, std::string_view option, size_t shortest) {
  const std::string_view name = word.substr(0, word.find('='));
  return name.size() >= shortest && starts_with(option, name);
}

// What the rest of cloudai finds the job and its output by.
struct Owned {
  std::string_view long_option;
  size_t shortest;
  std::string_view short_option;
  std::string_view what;
};
constexpr std::array<Owned, 9> owned{{{"--job-name", 6, "-J", "the job's name, which ends with the tag it is found by"},
                                      {"--output", 4, "-o", "the output file"},
                                      {"--error", 4, "-e", "the error file"},
                                      {"--open-mode", 4, "", "how the output files are opened"},
                                      {"--array", 4, "-a", "that there is one job"},
                                      {"--parsable", 6, "", "what sbatch prints"},
                                      {"--no-kill", 6, "-k", "that a job ends with a node that fails"},
                                      {"--wait", 6, "-W", "when sbatch returns"},
                                      {"--test-only", 4, "", "that the job is submitted"}}};

// An srun with these runs nothing and ends with 0.
constexpr std::array<std::string_view, 6> idle_options{"--help", "-h", "--usage", "--version", "-V", "--test-only"};

void check_extra_arguments(const SystemOptions& options) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  for (const std::string& argument : options.extra_sbatch_args) {
    if (std::any_of(argument.begin(), argument.end(), is_control)) {
      refuse("'extra_sbatch_args' has " + in_quotes(argument) + ", which is more than a line.",
             "Write one entry a line.");
    }
    for (const std::string& word : words_of(argument)) {
      const auto taken = std::find_if(owned.begin(), owned.end(), [&](const Owned& option) {
        const bool is_short = !option.short_option.empty() && starts_with(word, option.short_option);
        return is_short || (starts_with(word, "--") && is_long_option(word, option.long_option, option.shortest));
      });
      if (taken != owned.end()) {
        refuse("'extra_sbatch_args' has " + in_quotes(argument) + ", but cloudai itself decides " +
                   std::string(taken->what) + ".",
               "Remove it from the system file.");
      }
    }
  }
  if (const std::string fault = fault_of_srun_arguments(options.extra_srun_args); !fault.empty()) {
    refuse("'extra_srun_args' is " + in_quotes(options.extra_srun_args) + ", which " + fault,
           "Write all arguments on one line.");
  }
}

// The last `option` among words, as "--option value" or "--option=value".
std::string option_value(const std::vector<std::string>& words, const std::string& option) {
  std::string value;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) value = words[++i];
    if (starts_with(words[i], option + "=")) value = words[i].substr(option.size() + 1);
  }
  const bool is_quoted = value.size() >= 2 && value.front() == value.back() && (value[0] == '"' || value[0] == '\'');
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

std::string fault_of_srun_arguments(const std::string& text) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) return "is more than a line.";
  const auto is_quote = [&](char quote) { return std::count(text.begin(), text.end(), quote) % 2 != 0; };
  if (is_quote('\'') || is_quote('"')) return "has a quote that nothing closes.";
  for (const std::string& word : words_of(text)) {
    const auto idle = std::find(idle_options.begin(), idle_options.end(), word);
    if (idle != idle_options.end()) return "has " + std::string(*idle) + ", with which srun runs nothing.";
  }
  return {};
}

SystemOptions read_system_options(const cloudai::SystemSettings& settings) {
  const Value in(settings.options.json);
  SystemOptions options;
  options.system_name = settings.name;
  options.install_path = settings.install_path;
  options.output_path = settings.output_path;
  options.default_partition = in.get<std::string>("default_partition");
  options.partitions = read_partitions(in);
  options.account = in.get_or<std::string>("account", {});
  options.distribution = in.get_or<std::string>("distribution", {});
  options.mpi = in.get_or("mpi", options.mpi);
  options.gpus_per_node = in.find<int>("gpus_per_node");
  options.tasks_per_node = in.find<int>("ntasks_per_node");
  options.cache_docker_images_locally = in.get_or("cache_docker_images_locally", false);
  options.extra_srun_args = in.get_or<std::string>("extra_srun_args", {});
  options.extra_sbatch_args = in.get_or<std::vector<std::string>>("extra_sbatch_args", {});
  options.extra_transient_status_errors = in.get_or<std::vector<std::string>>("extra_transient_status_errors", {});
  options.status_retry_pause_seconds = in.get_or("status_retry_pause_seconds", options.status_retry_pause_seconds);
  options.max_pending_time = in.get_or("max_pending_time", options.max_pending_time);
  options.container_mount_home = in.get_or("container_mount_home", false);
  options.supports_gpu_directives = in.find<bool>("supports_gpu_directives_cache");
  check_extra_arguments(options);
  return options;
}

std::string requested_reservation(const SystemOptions& options) {
  std::string reservation = option_value(words_of(options.extra_srun_args), "--reservation");
  for (const std::string& argument : options.extra_sbatch_args) {
    const std::string own = option_value(words_of(argument), "--reservation");
    if (!own.empty()) reservation = own;
  }
  return reservation;
}

}  // namespace slurm
