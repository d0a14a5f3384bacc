#include "modules/reporters/tarball/tarball_report.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "cloudai/error.hpp"
#include "modules/reporters/results/output_file.hpp"
#include "modules/reporters/results/paths.hpp"
#include "modules/reporters/results/printable.hpp"
#include "modules/reporters/results/summary.hpp"
#include "modules/reporters/tarball/archive.hpp"

namespace cloudai::tarball {

namespace fs = std::filesystem;
using results::RunSummary;

namespace {

struct FailedRun {
  std::string directory;           // relative to the results directory, as everything here
  std::set<fs::path> always_kept;  // whatever their mode is
};

FailedRun failed_run(const RunSummary& run) {
  FailedRun result{run.directory, {fs::path(run.outcome).lexically_normal()}};
  for (const results::StageSummary& stage : run.stages) {
    result.always_kept.insert(fs::path(stage.standard_output).lexically_normal());
    result.always_kept.insert(fs::path(stage.standard_error).lexically_normal());
  }
  return result;
}

std::vector<FailedRun> failed_runs(const fs::path& results) {
  std::vector<FailedRun> runs;
  results::read_summary(results, [&](const RunSummary& run, std::size_t) {
    const bool failed = run.status != "passed" && run.status != "skipped";
    if (failed && !run.directory.empty()) runs.push_back(failed_run(run));
  });
  return runs;
}

// By name, so that the order does not depend on the file system.
std::vector<fs::path> sorted_entries(const fs::path& directory, std::error_code& error) {
  std::vector<fs::path> names;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Packer {
 public:
  Packer(const fs::path& results, const std::string& root, Archive& archive)
      : results_(results), root_(root), archive_(archive) {}

  void add_run(const FailedRun& run) {
    try {
      std::error_code error;
      if (!fs::is_directory(results::path_inside(results_, run.directory), error)) return;  // it never started
    } catch (const Error& error) {
      return leave_out(run.directory, error.message());
    }
    run_ = &run;
    add_directory(fs::path(run.directory).lexically_normal());
  }

  void add_file(const fs::path& file) {
    const std::string why = archive_.add_file(results_ / file, name_of(file));
    if (!why.empty()) leave_out(file, why);
  }

  void finish() {
    if (!left_out_.empty()) archive_.add_text(root_ + "/left-out.txt", left_out_);
    archive_.close();
  }

 private:
  std::string name_of(const fs::path& file) const { return root_ + "/" + file.string(); }

  void leave_out(const fs::path& file, const std::string& why) {
    left_out_ += results::printable_line(file.string()) + ": " + results::printable_line(why) + "\n";
  }

  void add_directory(const fs::path& directory) {
    std::error_code error;
    for (const fs::path& name : sorted_entries(results_ / directory, error)) add(directory / name);
    if (error) leave_out(directory, "it cannot be listed: " + error.message());
  }

  void add(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(results_ / path, error);
    if (status.type() == fs::file_type::directory) return add_directory(path);
    if (status.type() == fs::file_type::symlink) return add_link(path);
    if (status.type() != fs::file_type::regular) return leave_out(path, "it is not a regular file");
    const bool is_private = (status.permissions() & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none;
    if (is_private && run_->always_kept.count(path) == 0) {
      return leave_out(path, "only its owner may read it, so that it may hold secrets");
    }
    add_file(path);
  }

  void add_link(const fs::path& link) {
    std::error_code error;
    const fs::path target = fs::read_symlink(results_ / link, error);
    const fs::path leads_to = (link.parent_path() / target).lexically_normal();
    if (error || target.is_absolute() || !results::stays_inside(leads_to)) {
      return leave_out(link, "it is a symbolic link that leads out of the results: " + target.string());
    }
    archive_.add_link(name_of(link), target.string());
  }

  const fs::path& results_;
  const std::string& root_;
  Archive& archive_;
  const FailedRun* run_ = nullptr;
  std::string left_out_;
};

std::string root_name(const fs::path& results) {
  std::error_code error;
  const fs::path whole = fs::canonical(results, error);
  return results::file_name((error ? results : whole).filename().string(), 240);
}

}  // namespace

std::vector<std::string> write_report(const fs::path& results, const fs::path& directory,
                                      const std::function<bool()>& is_cancelled) {
  const std::vector<FailedRun> runs = failed_runs(results);
  const std::string root = root_name(results);
  const std::string name = root + ".tgz";
  if (runs.empty()) {
    std::error_code ignored;
    fs::remove(directory / name, ignored);
    return {};
  }
  results::OutputFile file(directory);
  Archive archive(file, is_cancelled);
  Packer packer(results, root, archive);
  packer.add_file("summary.json");
  packer.add_file("inputs.json");
  for (const FailedRun& run : runs) packer.add_run(run);
  packer.finish();
  file.commit(name);
  return {name};
}

}  // namespace cloudai::tarball
