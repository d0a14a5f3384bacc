#include "modules/workloads/nccl_test/command.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "cloudai/error.hpp"
#include "modules/workloads/nccl_test/request.hpp"
#include "modules/workloads/nccl_test/traffic_matrix.hpp"

namespace cloudai::nccl_test {

namespace {

// Options that become arguments, in the order of the command line.
constexpr std::array<std::string_view, 17> flag_options{
    "nthreads",      "ngpus", "minbytes", "maxbytes",     "stepbytes", "op",
    "datatype",      "root",  "iters",    "warmup_iters", "agg_iters", "average",
    "parallel_init", "check", "blocking", "cudagraph",    "stepfactor"};

// Those that alltoallv takes by a letter, in its order.
struct Letter {
  std::string_view option;
  const char* letter;
};
constexpr std::array<Letter, 5> alltoallv_letters{
    {{"minbytes", "-b"}, {"maxbytes", "-e"}, {"ngpus", "-g"}, {"warmup_iters", "-w"}, {"iters", "-n"}}};

// Options that are for this module, not for the program.
constexpr std::array<std::string_view, 7> own_options{
    "docker_image_url", "subtest_name",   "use_deepep_matrix",  "alltoallv_matrix_container_path",
    "min_busbw",        "min_busbw_size", "min_busbw_tolerance"};

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

// The arguments that are the same for every program: the flags in their order, the user's own, the extra ones.
template <class Append>
void append_all(std::vector<std::string>& argv, const TestDefinition& test, Append append) {
  const Json& options = test.cmd_args.json;
  for (const std::string_view name : flag_options) {
    const auto found = options.find(std::string(name));
    if (found != options.end()) append(std::string(name), *found);
  }
  for (const auto& [name, value] : options.items()) {
    if (!is_one_of(name, flag_options) && !is_one_of(name, own_options)) append(name, value);
  }
  for (const NamedValue& extra : test.extra_cmd_args) {
    argv.push_back(extra.name);
    if (!extra.value.empty()) argv.push_back(extra.value);
  }
}

std::vector<std::string> command_line(const TestDefinition& test, const std::string& subtest) {
  std::vector<std::string> argv{subtest};
  append_all(argv, test, [&](const std::string& name, const Json& value) {
    append_option(argv, name, value, is_mpi_program(subtest));
  });
  return argv;
}

// alltoallv with MPI is a program with flags of its own form: five letters first, and a true one without a value.
std::vector<std::string> alltoallv_command_line(const TestDefinition& test, const std::string& program) {
  std::vector<std::string> argv{program};
  for (const auto& [option, letter] : alltoallv_letters) {
    const auto found = test.cmd_args.json.find(std::string(option));
    if (found != test.cmd_args.json.end())
      argv.insert(argv.end(), {letter, argument_text(std::string(option), *found)});
  }
  append_all(argv, test, [&](const std::string& name, const Json& value) {
    const bool has_letter = std::any_of(alltoallv_letters.begin(), alltoallv_letters.end(),
                                        [&](const Letter& known) { return known.option == name; });
    if (has_letter || value.is_null() || value == Json(false)) return;
    argv.push_back("--" + name);
    if (value != Json(true)) argv.push_back(argument_text(name, value));
  });
  return argv;
}

std::vector<std::string> words_of(const TestDefinition& test, const std::string& subtest, bool has_image) {
  if (subtest != "alltoallv_perf_mpi") return command_line(test, subtest);
  // Where images of nccl-tests have it.
  return alltoallv_command_line(test, has_image ? "/opt/nccl-tests/build/alltoallv_perf" : subtest);
}

// A path in a mount, in which a scheduler expands variables; its parts are separated by these characters.
std::string mount_text(const std::string& path) {
  if (path.find_first_of(",:") != std::string::npos) {
    refuse("use_deepep_matrix",
           "The path '" + path + "' has a ',' or a ':' in it, so that it cannot be mounted into a container.",
           "Choose another output_path, or another name for the scenario or the case.");
  }
  std::string text;
  for (const char c : path) text += c == '$' ? "\\$" : std::string(1, c);
  return text;
}

// The traffic matrix of a benchmark before, and where the program finds it.
void add_traffic_matrix(const RunRequest& run, Step& step) {
  if (!run.test.cmd_args.find<bool>("use_deepep_matrix").value_or(false)) return;
  const TrafficMatrix matrix = find_traffic_matrix(run.predecessors);
  std::string place = matrix.file;
  if (!step.image.empty()) {
    place = run.test.cmd_args.find<std::string>("alltoallv_matrix_container_path").value_or("/tmp/traffic_matrix.txt");
    step.mounts.push_back(mount_text(matrix.file) + ":" + place);
    step.mounts.push_back(mount_text(matrix.root) + ":/cloudai_moe_benchmark_prev:ro");
  }
  step.environment.push_back({"ALLTOALLV_MATRIX_FILE", place});
}

// What would be ignored in silence is refused.
void refuse_ignored(const TestDefinition& test) {
  if (!test.cmd_args.find<Json>("min_busbw")) {
    for (const char* name : {"min_busbw_size", "min_busbw_tolerance"}) {
      const auto value = test.cmd_args.find<Json>(name);
      if (!value || *value == Json("largest") || *value == Json(0) || *value == Json(0.0)) continue;
      refuse(name, std::string("The option '") + name + "' has no effect without 'min_busbw'.",
             "Set 'min_busbw', or remove it.");
    }
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

}  // namespace

Plan plan_of(const RunRequest& run) {
  refuse_ignored(run.test);
  const auto subtest = run.test.cmd_args.get<std::string>("subtest_name");
  Step step;
  step.image = image_of(run);
  step.command.argv = words_of(run.test, subtest, !step.image.empty());
  if (!step.image.empty()) step.mounts = run.test.extra_container_mounts;
  add_traffic_matrix(run, step);

  // Of the whole command line: short and further arguments count, and the last wins.
  const int ranks_of_a_process = request_of(step.command.argv).ranks_of_a_process;
  Plan plan;
  if (is_mpi_program(subtest)) {
    step.placement = {PlacedOn::all, run.system.tasks_per_node.value_or(1), Launcher::mpi};
    plan.expects.nodes = run.nodes.count;
    plan.expects.ranks = run.nodes.count * step.placement.tasks_per_node * ranks_of_a_process;
  } else {
    if (run.nodes.count > 1) {
      refuse("subtest_name",
             "'" + subtest + "' runs on one node, and the test asks for " + std::to_string(run.nodes.count) + ".",
             "Use '" + subtest + "_mpi', or one node: what does not run on a node says nothing of it.");
    }
    step.placement = {PlacedOn::first, 1, Launcher::none};
    plan.expects.nodes = 1;
    plan.expects.ranks = ranks_of_a_process;
  }
  plan.steps.push_back(std::move(step));
  // A hook's gate decides whether the next stage starts. The main test's decides nothing, and its output may be JSON,
  // which has other words. Each of these texts also decides in the verdict: gate and verdict never disagree.
  if (run.stage.kind != StageKind::main) {
    plan.success.must_contain = {{"stdout.txt", "Out of bounds values : 0 OK"}, {"stdout.txt", "Avg bus bandwidth"}};
  }
  plan.success.must_not_contain = {
      {"stdout.txt", "Test NCCL failure"}, {"stdout.txt", "Test CUDA failure"}, {"stdout.txt", "Test failure"}};
  return plan;
}

}  // namespace cloudai::nccl_test
