// The documents of a results directory, read again: who else but their writer's part knows what a directory without
// them seems to be.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::report {

// An error of use that says what `directory` seems to be, unless it holds a summary.json. `option` stands before it,
// e.g. "--result-dir: ".
Result<void> check_results_directory(const std::filesystem::path& directory, const std::string& option);

// Sees each part of a document as it is read, and returns whether to keep it. Depth 0 is the document itself.
using JsonFilter = std::function<bool(int depth, Json::parse_event_t event, const Json& value)>;

// Drops what is deeper than `depth`; it is checked nevertheless.
JsonFilter down_to(int depth);

// The JSON object in the file at `path`, less what `filter` drops: a summary of ten thousand runs is large. A file that
// cannot be read, is damaged, nested deeper than 64 levels or of another schema is an error that names it, and the
// place.
Result<Json> read_results_document(const std::filesystem::path& path, const char* schema, const JsonFilter& filter);

// The same, less what is deeper than `depth`.
Result<Json> read_results_document(const std::filesystem::path& path, const char* schema, int depth);

}  // namespace cloudai::report
