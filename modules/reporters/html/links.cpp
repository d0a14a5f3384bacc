#include "modules/reporters/html/links.hpp"

#include <system_error>
#include <utility>

#include "modules/reporters/html/format.hpp"
#include "modules/reporters/results/paths.hpp"

namespace cloudai::html {

namespace fs = std::filesystem;

Links::Links(fs::path results, const fs::path& page_directory)
    : results_(std::move(results)),
      from_page_(fs::absolute(results_).lexically_normal().lexically_relative(
          fs::absolute(page_directory).lexically_normal())) {}

std::string Links::to(const fs::path& path) const {
  std::error_code ignored;
  if (path.empty() || !results::stays_inside(path) || !fs::exists(results_ / path, ignored)) return {};
  return link((from_page_ / path).lexically_normal().string());
}

void Links::add(std::vector<FileLink>& list, const char* name, const std::string& path) const {
  if (std::string href = to(path); !href.empty()) list.push_back({name, std::move(href)});
}

std::vector<FileLink> stage_files(const results::StageSummary& stage, const Links& links) {
  std::vector<FileLink> files;
  links.add(files, "stdout", stage.standard_output);
  links.add(files, "stderr", stage.standard_error);
  links.add(files, "folder", stage.directory);
  return files;
}

std::vector<FileLink> run_files(const results::RunSummary& run, const Links& links) {
  for (const results::StageSummary& stage : run.stages) {
    if (stage.kind == "main") return stage_files(stage, links);
  }
  return {};
}

}  // namespace cloudai::html
