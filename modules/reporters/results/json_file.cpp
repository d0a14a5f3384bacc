#include "modules/reporters/results/json_file.hpp"

#include <fstream>
#include <string>
#include <system_error>

namespace cloudai::results {

namespace fs = std::filesystem;

namespace {

constexpr int deepest = 64;  // the bound of the module boundary, too

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(Status::failed, file.string() + " " + why);
}

// Opening a FIFO would wait for ever, so the kind of the file is looked at first.
void require_regular_file(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) refuse(file, "does not exist.");
  if (error) refuse(file, "cannot be read: " + error.message() + ".");
  if (status.type() != fs::file_type::regular) refuse(file, "is not a regular file.");
}

}  // namespace

Json read_json_file(const fs::path& file, const JsonFilter& filter) {
  require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "cannot be opened for reading.");
  const auto bounded = [&](int depth, Json::parse_event_t event, const Json& value) {
    if (depth > deepest) refuse(file, "is nested deeper than " + std::to_string(deepest) + " levels.");
    return !filter || filter(depth, event, value);
  };
  try {
    Json document = Json::parse(in, bounded);
    if (!document.is_object()) refuse(file, "does not hold a JSON object.");
    return document;
  } catch (const Json::parse_error& error) {
    // The library's text repeats what it read; where it stopped is what a person needs.
    std::error_code ignored;
    const bool at_end = error.byte > fs::file_size(file, ignored);
    refuse(file, at_end ? "is cut off: it ends in the middle of the document."
                        : "is not JSON: it breaks at byte " + std::to_string(error.byte) + ".");
  } catch (const Json::out_of_range&) {
    refuse(file, "holds a number too large to be read.");
  }
}

void refuse_document(const fs::path& file, const Error& error) {
  refuse(file, "is broken: " + error.message());
}

}  // namespace cloudai::results
