// `cloudai compare`: the results of several runs side by side, the first being the baseline.

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "core/app/commands.hpp"
#include "core/app/complaints.hpp"
#include "core/app/module_isolation.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/app/output.hpp"
#include "core/app/reporter_names.hpp"
#include "core/compare/comparison.hpp"
#include "core/compare/document.hpp"
#include "core/compare/listing.hpp"
#include "core/compare/text.hpp"
#include "core/config/workloads.hpp"
#include "core/report/reporters.hpp"
#include "core/support/log.hpp"
#include "core/support/nearest.hpp"
#include "core/support/terminal.hpp"

namespace cloudai::app {

namespace fs = std::filesystem;

namespace {

// A file for what may be larger than memory; it goes with this object.
class ScratchFile {
 public:
  static Result<ScratchFile> make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "cloudai-comparison-XXXXXX").string();
    const int file = error ? -1 : ::mkstemp(path.data());
    if (file < 0) {
      return cloudai::trouble("No file can be made in the directory for temporary files: " +
                              (error ? error.message() : std::generic_category().message(errno)) + ".");
    }
    ::close(file);
    return ScratchFile(path);
  }
  ScratchFile(ScratchFile&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  ScratchFile& operator=(ScratchFile&&) = delete;
  ~ScratchFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

Result<double> percent_of(const std::string& text, const std::string& whole) {
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0' && text.find_first_not_of("0123456789.") == text.npos;
  if (is_number && std::isfinite(percent)) return percent;
  return usage_error("--tolerance: found '" + whole +
                     "', expected a number of percent such as 5, or METRIC=PERCENT such as busbw=3.");
}

Result<compare::Tolerance> read_tolerance(const std::vector<std::string>& words) {
  compare::Tolerance tolerance;
  for (const std::string& word : words) {
    const std::size_t equals = word.rfind('=');
    const auto percent = percent_of(equals == word.npos ? word : word.substr(equals + 1), word);
    if (!percent) return tl::make_unexpected(percent.error());
    if (equals == word.npos) {
      tolerance.percent = *percent;
    } else {
      tolerance.of_metric[word.substr(0, equals)] = *percent;
    }
  }
  return tolerance;
}

// A tolerance for a metric that is misspelt would be none for the one that was meant.
Result<void> check_names(const compare::Tolerance& tolerance, const std::map<std::string, std::size_t>& metric_names) {
  for (const auto& [name, percent] : tolerance.of_metric) {
    if (metric_names.count(name) > 0) continue;
    std::vector<std::string> known;
    std::string list;
    for (const auto& [metric, count] : metric_names) {
      known.push_back(metric);
      list += (list.empty() ? "" : ", ") + metric;
    }
    const std::string advice = did_you_mean(name, known);
    return usage_error("--tolerance: the results have no metric '" + name + "'" +
                       (!advice.empty() ? advice
                        : list.empty()  ? "; they have no metrics at all."
                                        : ". Their metrics: " + list + "."));
  }
  return {};
}

// All of them, or every problem said.
std::optional<std::vector<compare::Results>> open_all(const std::vector<fs::path>& directories) {
  std::vector<compare::Results> all;
  bool good = true;
  if (directories.size() < 2) {
    good = false;
    fail({ErrorKind::usage,
          "A comparison needs at least two results directories, the baseline first; found only '" +
              directories.front().string() + "'.",
          {}});
  }
  for (const fs::path& directory : directories) {
    auto results = compare::open_results(directory, compare::results_name(all.size()));
    if (!results) {
      fail(results.error());
      good = false;
    } else {
      all.push_back(std::move(*results));
    }
  }
  if (!good) return std::nullopt;
  if (const auto checked = compare::check_comparable(all); !checked) {
    fail(checked.error());
    return std::nullopt;
  }
  return all;
}

Result<void> print_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> buffer(1 << 16);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
    print({buffer.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (in.bad()) return cloudai::trouble("'" + path + "' cannot be read again.");
  return {};
}

// False if one could not be written; the others are, nevertheless.
bool write_reports(const CompareOptions& options, const std::vector<compare::Results>& results,
                   const std::string& comparison, const module::Catalogue& catalogue,
                   const module::IsolationPolicy& isolation) {
  std::error_code error;
  const fs::path directory = fs::absolute(options.output_dir, error).lexically_normal();
  fs::create_directories(directory, error);
  std::vector<fs::path> directories;
  for (const compare::Results& each : results) directories.push_back(each.directory);
  module::Host host;
  module::Loader loader(catalogue, host, isolation);
  bool all_written = true;
  for (const std::string& name : options.reports) {
    const auto files = report::write_comparison(name, directories, comparison, directory, catalogue, loader);
    if (!files) {
      log::error("Report '{}' could not be generated: {}", name, config::sentence_of(files.error()));
      all_written = false;
      continue;
    }
    for (const fs::path& file : *files) log::info("Generated comparison report at {}", file.string());
  }
  return all_written;
}

// What was compared, and where it was written to be read by programs.
struct Compared {
  ScratchFile document;
  compare::Listing listing;
  compare::Ending ending;
};

Result<Compared> compare_all(const std::vector<compare::Results>& results, const compare::Tolerance& tolerance,
                             bool everything) {
  auto document = ScratchFile::make();
  if (!document) return tl::make_unexpected(document.error());
  Compared compared{std::move(*document), compare::Listing(results, everything), {}};
  std::ofstream out(compared.document.path(), std::ios::binary);
  compare::DocumentWriter writer(out, results, tolerance);
  compared.ending = compare::compare(results, tolerance, [&](const compare::CaseComparison& comparison) {
    compared.listing.add(comparison);
    writer.add(comparison);
  });
  writer.finish(compared.ending.totals);
  if (!out.flush()) return cloudai::trouble("The comparison cannot be written to '" + compared.document.path() + "'.");
  if (auto checked = check_names(tolerance, compared.ending.metric_names); !checked) {
    return tl::make_unexpected(checked.error());
  }
  return compared;
}

Result<void> show(const CompareOptions& options, const std::vector<compare::Results>& results,
                  const compare::Tolerance& tolerance, const Compared& compared) {
  if (options.json) return print_file(compared.document.path());
  const compare::Totals& totals = compared.ending.totals;
  print(options.markdown ? compare::markdown_text(results, tolerance, compared.listing, totals)
                         : compare::terminal_text(results, tolerance, compared.listing, totals,
                                                  terminal::takes_colour(STDOUT_FILENO)));
  return {};
}

}  // namespace

int compare(const GlobalOptions& global, const CompareOptions& options) {
  const auto opened = open_catalogue(global);
  if (!opened) return trouble;
  const module::Catalogue& catalogue = *opened;
  const bool names_are_good = are_reporters(options.reports, catalogue);
  const auto tolerance = read_tolerance(options.tolerance);
  if (!tolerance) fail(tolerance.error());
  const auto results = open_all(options.directories);
  if (!names_are_good || !tolerance || !results) return usage;

  const auto compared = compare_all(*results, *tolerance, options.all && !options.json);
  if (!compared) return fail(compared.error());
  for (const std::string& problem : compared->ending.problems) {
    log::error("{} Its measurements are not compared.", problem);
  }
  if (const auto shown = show(options, *results, *tolerance, *compared); !shown) return fail(shown.error());
  const bool all_written = options.reports.empty() || write_reports(options, *results, compared->document.path(),
                                                                    catalogue, module_isolation(global));
  if (!all_written || !compared->ending.problems.empty()) return trouble;
  const compare::Totals& totals = compared->ending.totals;
  if (totals.has_regression()) return test_failed;
  return totals.has_compared_nothing() ? trouble : success;
}

}  // namespace cloudai::app
