#include "core/report/results_documents.hpp"

#include <algorithm>
#include <system_error>

#include "core/support/files.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;

namespace {

using files::damaged;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The results directory below `directory` that was written last; empty if there is none.
fs::path newest_below(const fs::path& directory) {
  fs::path newest;
  fs::file_time_type newest_time = fs::file_time_type::min();
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const fs::path summary = entry->path() / "summary.json";
    const auto time = fs::last_write_time(summary, ignored);
    if (ignored || time <= newest_time) continue;
    newest_time = time;
    newest = entry->path();
  }
  return newest;
}

constexpr int most_levels = 64;

// Thrown through the parser, and caught where it was called.
struct TooDeep {};

// `filter`, of no more levels than the functions can take that go down a document.
JsonFilter within_levels(const JsonFilter& filter) {
  return [&filter](int depth, Json::parse_event_t event, const Json& value) {
    const bool begins = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (begins && depth >= most_levels) throw TooDeep();
    return filter(depth, event, value);
  };
}

// Where the text stops being JSON, for a person with an editor.
std::string place_of(const std::string& text, std::size_t byte) {
  const std::string_view before = std::string_view(text).substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

}  // namespace

Result<void> check_results_directory(const fs::path& directory, const std::string& option) {
  const std::string name = option + "'" + directory.string() + "' ";
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found) return usage_error(name + "does not exist.");
  if (error) return usage_error(name + "cannot be looked at: " + error.message() + ".");
  if (!fs::is_directory(status)) {
    return usage_error(name + "is not a directory.", "Name the directory that a run left its results in.");
  }
  if (is_file(directory / "summary.json")) return {};
  if (is_file(directory / "journal.jsonl")) {
    return usage_error(name + "has no summary.json: its run has not ended, or was killed before it could write one.");
  }
  if (is_file(directory / "inputs.json")) {
    return usage_error(name + "has no summary.json: it was written by a dry run, which measures nothing.");
  }
  const fs::path below = newest_below(directory);
  return usage_error(name + "is not the results directory of a run: it has no summary.json.",
                     below.empty() ? "" : "The newest one in it is '" + below.string() + "'.");
}

JsonFilter down_to(int depth) {
  return [depth](int at, Json::parse_event_t, const Json&) { return at <= depth; };
}

Result<Json> read_results_document(const fs::path& path, const char* schema, const JsonFilter& filter) {
  auto text = files::read(path);
  if (!text) return tl::make_unexpected(text.error());
  Json document;
  try {
    document = Json::parse(*text, within_levels(filter));
  } catch (const TooDeep&) {
    return damaged(path, "it is nested deeper than " + std::to_string(most_levels) + " levels");
  } catch (const Json::parse_error& error) {
    if (error.byte > text->size()) return damaged(path, "it ends in the middle of the document");
    return damaged(path, "it is not valid JSON from " + place_of(*text, error.byte) + " on");
  } catch (const Json::exception&) {
    return damaged(path, "it holds a number that is too large");
  }
  if (!document.is_object()) return damaged(path, "it does not hold a JSON object");
  if (text_of(document, "schema") != schema) {
    return damaged(path, "its \"schema\" is not \"" + std::string(schema) + "\"");
  }
  return document;
}

Result<Json> read_results_document(const fs::path& path, const char* schema, int depth) {
  return read_results_document(path, schema, [depth](int at, Json::parse_event_t, const Json&) { return at <= depth; });
}

}  // namespace cloudai::report
