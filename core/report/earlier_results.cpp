#include "core/report/earlier_results.hpp"

#include "core/report/results_documents.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;

namespace {

Json reports_of(const Json& inputs, const char* part) {
  const Json owner = inputs.value(part, Json());
  const auto found = owner.find("reports");
  return found != owner.end() && found->is_object() ? *found : Json::object();
}

}  // namespace

Result<EarlierResults> open_earlier_results(const fs::path& directory) {
  if (auto checked = check_results_directory(directory, "--result-dir: "); !checked) {
    return tl::make_unexpected(checked.error());
  }
  const auto summary = read_results_document(directory / "summary.json", "cloudai.summary/1", 1);
  if (!summary) return tl::make_unexpected(summary.error());
  const auto inputs = read_results_document(directory / "inputs.json", "cloudai.inputs/1", 64);
  if (!inputs) return tl::make_unexpected(inputs.error());
  return EarlierResults{fs::absolute(directory).lexically_normal(), reports_of(*inputs, "system"),
                        reports_of(*inputs, "scenario")};
}

}  // namespace cloudai::report
