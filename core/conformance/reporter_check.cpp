#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "core/conformance/check.hpp"
#include "core/conformance/sample_results.hpp"
#include "core/conformance/samples.hpp"
#include "core/conformance/subject.hpp"
#include "core/conformance/tree_state.hpp"
#include "core/support/files.hpp"

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

std::string described(std::size_t runs) {
  return runs == 0 ? "of no run" : runs == 1 ? "of one run" : fmt::format("of {} runs", runs);
}

// What is none of the reporter's: the results themselves, and where a process keeps what is its own.
std::vector<TreeState> surroundings(const fs::path& results) {
  std::vector<TreeState> states = {tree_state(results), tree_state(fs::current_path())};
  for (const char* variable : {"HOME", "TMPDIR"}) {
    const char* place = std::getenv(variable);
    states.push_back(place != nullptr ? tree_state(place) : TreeState());
  }
  return states;
}

void check_files(const Json& reply, const fs::path& directory, const std::string& runs, Findings& findings) {
  const Json files = reply.value("files", Json());
  if (!files.is_array()) return findings.fault("The reply of write() has no list 'files'.");
  for (const Json& file : files) {
    std::error_code failed;
    const std::string path = file.is_string() ? file.get<std::string>() : file.dump();
    if (!file.is_string() || !files::leads_inside(directory, path)) {
      findings.fault(fmt::format("write() {} names '{}', which is not inside its directory.", runs, path));
    } else if (!fs::is_regular_file(directory / path, failed)) {
      findings.fault(fmt::format("write() {} names '{}', which is not there.", runs, path));
    }
  }
}

void check_write(Subject& subject, const module::Provided& reporter, const Context& context, std::size_t count,
                 Findings& findings) {
  const std::string runs = described(count);
  const fs::path results = context.directory / fmt::format("results-{}", count);
  const fs::path directory = context.directory / fmt::format("report-{}-{}", reporter.name, count);
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed || (!fs::exists(results) && !write_sample_results(results, count))) {
    return findings.fault(fmt::format("'{}' cannot be written.", results.string()));
  }
  const Json request = {{"schema", "cloudai.report_request/1"},
                        {"provider", reporter.name},
                        {"kind", "scenario"},
                        {"results", Json::array({Json::object({{"directory", results.string()}})})},
                        {"options", sample_value(reporter.config_schema)},
                        {"directory", directory.string()}};
  const auto before = surroundings(results);
  const Answer answer = subject.call(module::reporter_interface, "write", request.dump(), runs);
  const auto after = surroundings(results);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string touched = first_difference(before[i], after[i]);
    if (!touched.empty())
      findings.fault(fmt::format("write() {} touches '{}' outside of its directory.", runs, touched));
  }
  if (answer.fault) return findings.fault(*answer.fault);
  if (!answer.is_ok()) {
    return findings.fault(fmt::format("write() {} fails: {}", runs, text_of(answer.document, "message")));
  }
  check_files(answer.document, directory, runs, findings);
}

}  // namespace

void check_reporter(const Context& context, Findings& findings) {
  const auto subject = Subject::load(context);
  if (!subject) return findings.fault(subject.error().message);
  bool is_there = false;
  for (const auto& provided : (*subject)->file().provides) {
    if (provided.interface_id != module::reporter_interface) continue;
    is_there = true;
    for (const std::size_t count : {0U, 1U, 10000U}) check_write(**subject, provided, context, count, findings);
  }
  if (!is_there) findings.skip("It provides no reporter.");
}

}  // namespace cloudai::conformance
