#include "cluster_facts.hpp"

#include <charconv>

#include "accounting_query.hpp"
#include "cloudai/error.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

std::optional<long long> number_at(std::string_view text) {
  const std::string_view digits = leading_digits(trim(text));
  long long number = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{}) return std::nullopt;
  return number;
}

std::string ask(const SlurmCommands& commands, const char* what) {
  const auto result = commands.ask({"scontrol", "show", what});
  if (succeeded(result)) return result.stdout_text;
  throw cloudai::Error(cloudai::Status::unavailable,
                       "The cluster cannot be asked for its " + std::string(what) + ": " +
                           failure_text("scontrol show " + std::string(what), result),
                       "Check that 'scontrol ping' finds the controller from here.");
}

void set_word(PartitionLimits& partition, std::string_view key, std::string_view value) {
  if (key == "Default") partition.is_default = value == "YES";
  if (key == "TotalNodes") partition.total_nodes = number_at(value).value_or(0);
  if (key == "MaxNodes") partition.max_nodes = number_at(value);
  if (key == "MaxTime" && value != "UNLIMITED") partition.max_seconds = parse_elapsed(value);
  if (key == "State") {
    partition.state = value;
    partition.is_up = value == "UP";
  }
}

}  // namespace

ClusterConfig parse_config(std::string_view output) {
  ClusterConfig config;
  bool names_resources = false;
  for (const std::string_view line : split_lines(output)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = trim(line.substr(0, equals));
    const std::string_view value = trim(line.substr(equals + 1));
    if (key == "AccountingStorageType") config.has_accounting = !contains(value, "none") && value != "(null)";
    if (key == "MinJobAge") config.min_job_age = number_at(value);
    if (key == "SLURM_VERSION") config.version = value;
    if (key == "GresTypes") {
      names_resources = true;
      config.schedules_gpus = contains(value, "gpu");
    }
  }
  if (!names_resources) config.schedules_gpus = false;
  return config;
}

std::vector<PartitionLimits> parse_partitions(std::string_view output) {
  std::vector<PartitionLimits> partitions;
  for (const std::string_view line : split_lines(output)) {
    std::string_view rest = trim(line);
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest = trim(rest.substr(word.size()));
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      const std::string_view key = word.substr(0, equals);
      const std::string_view value = word.substr(equals + 1);
      if (key == "PartitionName") {
        partitions.emplace_back().name = value;
      } else if (!partitions.empty()) {
        set_word(partitions.back(), key, value);
      }
    }
  }
  return partitions;
}

ClusterConfig query_config(const SlurmCommands& commands) {
  return parse_config(ask(commands, "config"));
}

std::vector<PartitionLimits> query_partitions(const SlurmCommands& commands) {
  return parse_partitions(ask(commands, "partition"));
}

}  // namespace slurm
