#include "modules/workloads/nccl_test/traffic_matrix.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "cloudai/error.hpp"

namespace cloudai::nccl_test {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t searched_output = 250'000;  // bytes

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw Error(Status::invalid_config, message, hint, "/test/cmd_args/use_deepep_matrix");
}

// Every regular file of this name below `root`; what cannot be read is passed over.
std::vector<fs::path> files_named(const fs::path& root, const std::string& name) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().filename() == name && entry->is_regular_file(ignored)) found.push_back(entry->path());
  }
  return found;
}

bool says_that_it_is_one(const fs::path& output) {
  std::ifstream file(output, std::ios::binary);
  std::string text(searched_output, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text.find("BENCHMARK: DeepEP Results") != std::string::npos;
}

fs::file_time_type written(const fs::path& file) {
  std::error_code ignored;
  return fs::last_write_time(file, ignored);
}

std::optional<fs::path> newest_matrix(const fs::path& root) {
  constexpr const char* name = "nccl_matrix.txt";
  std::error_code ignored;
  if (fs::is_regular_file(root / name, ignored)) return root / name;
  const auto files = files_named(root, name);
  const auto newest = std::max_element(files.begin(), files.end(), [](const fs::path& left, const fs::path& right) {
    return written(left) < written(right);
  });
  return newest == files.end() ? std::nullopt : std::optional(*newest);
}

}  // namespace

TrafficMatrix find_traffic_matrix(const std::vector<Predecessor>& predecessors) {
  const std::string subject = "The option 'use_deepep_matrix' asks for the traffic matrix of a DeepEP benchmark, but ";
  if (predecessors.empty()) {
    refuse(subject + "the test starts after no other.", "Let it start after the benchmark (start_post_comp).");
  }
  for (const Predecessor& predecessor : predecessors) {
    const fs::path root = predecessor.directory;
    if (files_named(root, "ucc_matrix.txt").empty() && !says_that_it_is_one(root / "stdout.txt")) continue;
    const auto matrix = newest_matrix(root);
    if (!matrix) {
      refuse(subject + "there is no nccl_matrix.txt in '" + root.string() + "'.",
             "See whether the test '" + predecessor.case_id + "' ran to its end, and whether it writes one.");
    }
    return {matrix->string(), root.string()};
  }
  std::string names;
  for (const Predecessor& predecessor : predecessors) {
    if (names.find("'" + predecessor.case_id + "'") != std::string::npos) continue;
    names += (names.empty() ? "'" : ", '") + predecessor.case_id + "'";
  }
  refuse(subject + "no test it starts after has left the results of one: " + names + ".",
         "A dry-run cannot prepare such a test, since nothing has run.");
}

}  // namespace cloudai::nccl_test
