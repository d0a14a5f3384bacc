// Links from a page to files of the results directory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

struct FileLink {
  std::string name;
  std::string href;  // empty: there is no such file, and the name stands alone
};

class Links {
 public:
  // `page_directory` is where the page will stand.
  Links(std::filesystem::path results, const std::filesystem::path& page_directory);

  // A link to a path relative to the results directory, or nothing where it is not in there.
  std::string to(const std::filesystem::path& path) const;

  // Adds the file to the list, if it is there.
  void add(std::vector<FileLink>& list, const char* name, const std::string& path) const;

 private:
  std::filesystem::path results_;
  std::filesystem::path from_page_;
};

// What a stage left behind.
std::vector<FileLink> stage_files(const results::StageSummary& stage, const Links& links);

// Those of its main stage, whose folder is the run's.
std::vector<FileLink> run_files(const results::RunSummary& run, const Links& links);

}  // namespace cloudai::html
