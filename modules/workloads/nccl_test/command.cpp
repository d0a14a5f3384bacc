#include "modules/workloads/nccl_test/command.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "cloudai/error.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

// Options that become arguments, in the order of the command line.
constexpr std::array<std::string_view, 17> flag_options{
    "nthreads",      "ngpus", "minbytes", "maxbytes",     "stepbytes", "op",
    "datatype",      "root",  "iters",    "warmup_iters", "agg_iters", "average",
    "parallel_init", "check", "blocking", "cudagraph",    "stepfactor"};

// Options that are for this module, not for the program.
constexpr std::array<std::string_view, 5> own_options{"docker_image_url", "subtest_name", "use_deepep_matrix",
                                                      "alltoallv_matrix_container_path", "min_busbw"};

template <std::size_t n>
bool is_one_of(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_mpi_program(std::string_view subtest) {
  return subtest.ends_with("_mpi");
}

[[noreturn]] void refuse(const std::string& option, const std::string& message, const std::string& hint) {
  throw Error(Status::invalid_config, message, hint, "/test/cmd_args/" + option);
}

std::string argument_text(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  // The spelling of the Python program whose configuration files these are.
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_number()) return value.dump();
  refuse(name, "The option '" + name + "' of the test is no number, text or boolean, and cannot be an argument.",
         "Give one value.");
}

void append_option(std::vector<std::string>& argv, const std::string& name, const Json& value, bool mpi_program) {
  if (value.is_null()) return;
  if (name == "ngpus" && !mpi_program) {
    // Without MPI one process drives all the GPUs.
    argv.emplace_back("-g");
  } else {
    argv.push_back((name.size() == 1 ? "-" : "--") + name);
  }
  argv.push_back(argument_text(name, value));
}

std::vector<std::string> command_line(const TestDefinition& test, const std::string& subtest) {
  const Json& options = test.cmd_args.json;
  const bool mpi_program = is_mpi_program(subtest);
  std::vector<std::string> argv{subtest};
  for (const std::string_view name : flag_options) {
    const auto found = options.find(std::string(name));
    if (found != options.end()) append_option(argv, std::string(name), *found, mpi_program);
  }
  for (const auto& [name, value] : options.items()) {
    if (is_one_of(name, flag_options) || is_one_of(name, own_options)) continue;
    append_option(argv, name, value, mpi_program);
  }
  for (const NamedValue& extra : test.extra_cmd_args) {
    argv.push_back(extra.name);
    if (!extra.value.empty()) argv.push_back(extra.value);
  }
  return argv;
}

// What would be ignored in silence is refused.
void refuse_unsupported(const TestDefinition& test) {
  if (test.cmd_args.find<double>("min_busbw")) {
    refuse("min_busbw", "The option 'min_busbw' is not supported by this version: no bandwidth is compared with it.",
           "Remove it from the test.");
  }
  if (test.cmd_args.find<bool>("use_deepep_matrix").value_or(false)) {
    refuse("use_deepep_matrix", "The option 'use_deepep_matrix' is not supported by this version.",
           "Remove it from the test.");
  }
}

// The image where the system runs containers; elsewhere the program runs as it is.
std::string image_of(const RunRequest& run) {
  if (run.system.containers == Containers::none) return {};
  const auto url = run.test.cmd_args.find<std::string>("docker_image_url");
  if (!url) {
    if (run.system.containers == Containers::optional) return {};
    refuse("docker_image_url",
           "The system '" + run.system.name + "' runs every test in a container, and this test names no image.",
           "Set 'docker_image_url' in its cmd_args.");
  }
  const auto provisioned = run.provisioned.find(image_item);
  return provisioned == run.provisioned.end() ? *url : provisioned->second;
}

int option_or(const TestDefinition& test, std::string_view name, int otherwise) {
  return test.cmd_args.find<int>(name).value_or(otherwise);
}

// The value of the last argument that sets an option: "--long V", "--long=V", "-s V" or "-sV".
std::optional<std::string> argument_of(const std::vector<std::string>& argv, const std::string& long_name,
                                       const std::string& short_name) {
  std::optional<std::string> value;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& argument = argv[i];
    if (argument == long_name || argument == short_name) {
      if (i + 1 < argv.size()) value = argv[++i];
    } else if (argument.starts_with(long_name + "=")) {
      value = argument.substr(long_name.size() + 1);
    } else if (argument.starts_with(short_name) && !argument.starts_with("--")) {
      value = argument.substr(short_name.size());
    }
  }
  return value;
}

}  // namespace

Plan plan_of(const RunRequest& run) {
  refuse_unsupported(run.test);
  const auto subtest = run.test.cmd_args.get<std::string>("subtest_name");
  Step step;
  step.command.argv = command_line(run.test, subtest);
  step.image = image_of(run);
  if (!step.image.empty()) step.mounts = run.test.extra_container_mounts;

  const int ranks_of_a_process = option_or(run.test, "ngpus", 1) * option_or(run.test, "nthreads", 1);
  Plan plan;
  if (is_mpi_program(subtest)) {
    step.placement = {PlacedOn::all, run.system.tasks_per_node.value_or(1), Launcher::mpi};
    plan.expects.nodes = run.nodes.count;
    plan.expects.ranks = run.nodes.count * step.placement.tasks_per_node * ranks_of_a_process;
  } else {
    step.placement = {PlacedOn::first, 1, Launcher::none};
    plan.expects.nodes = 1;
    plan.expects.ranks = ranks_of_a_process;
  }
  plan.steps.push_back(std::move(step));
  // Each of these texts also decides in the verdict: gate and verdict never disagree.
  plan.success.must_contain = {{"stdout.txt", "Out of bounds values : 0 OK"}, {"stdout.txt", "Avg bus bandwidth"}};
  plan.success.must_not_contain = {
      {"stdout.txt", "Test NCCL failure"}, {"stdout.txt", "Test CUDA failure"}, {"stdout.txt", "Test failure"}};
  return plan;
}

std::optional<std::int64_t> largest_requested_size(const std::vector<std::string>& argv) {
  const auto size = [&](const char* long_name, const char* short_name, const char* otherwise) {
    return byte_size(argument_of(argv, long_name, short_name).value_or(otherwise));
  };
  const auto smallest = size("--minbytes", "-b", "32M");
  const auto limit = size("--maxbytes", "-e", "32M");
  const auto step = size("--stepbytes", "-i", "1M");
  const auto factor = whole_number(argument_of(argv, "--stepfactor", "-f").value_or("1"));
  if (!smallest || !limit || !step || !factor || *smallest > *limit) return std::nullopt;
  std::int64_t largest = *smallest;
  if (*factor > 1) {
    while (largest > 0 && largest <= *limit / *factor) largest *= *factor;
  } else if (*step > 0) {
    largest += (*limit - *smallest) / *step * *step;
  }
  return largest;
}

std::string collective_of(const std::string& program) {
  std::string name = program.substr(program.rfind('/') + 1);
  for (const std::string_view suffix : {"_mpi", "_perf"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return name;
}

}  // namespace cloudai::nccl_test
