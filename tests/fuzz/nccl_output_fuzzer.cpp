// Any bytes as the output of nccl-tests: they are read, and what is made of them holds together.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "cloudai/documents/outcome.hpp"
#include "modules/workloads/nccl_test/facts.hpp"
#include "modules/workloads/nccl_test/measurements.hpp"
#include "modules/workloads/nccl_test/output_parser.hpp"
#include "modules/workloads/nccl_test/planned_findings.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

cloudai::StageRequest planned_stage() {
  cloudai::StageRequest stage;
  cloudai::Step step;
  step.command.argv = {"all_reduce_perf_mpi", "-b", "8", "-e", "16G", "-f", "2", "-o", "all", "-d", "all"};
  stage.plan.steps.push_back(step);
  stage.plan.expects = {16, 2};
  return stage;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cloudai::nccl_test;
  static const cloudai::StageRequest stage = planned_stage();
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
  const Output output = parse_output(stream);
  require(output.rows.size() <= output.row_count && output.rows.size() <= most_rows);
  for (const Row& row : output.rows) {
    for (const Side& side : row.sides) require(std::isfinite(side.busbw.value_or(0)));
  }
  missing_ranks(stage, output);
  const auto request = request_of(stage);
  other_benchmark(*request, output);
  missing_size(stage, *request, output);

  cloudai::Outcome outcome;
  outcome.facts = facts_of(output, output.collective);
  add_tables(output, outcome);
  add_metrics(output, output.collective, outcome);
  for (const cloudai::Table& table : outcome.tables) {
    for (const auto& row : table.rows) require(row.size() == table.columns.size());
  }
  for (const cloudai::Metric& metric : outcome.metrics) require(std::isfinite(metric.value));
  return 0;
}
