// Reads one JSON file of a results directory. Whatever is wrong with it becomes an Error(failed) that names the file.
#pragma once

#include <filesystem>
#include <functional>

#include "cloudai/documents/value.hpp"

namespace cloudai::results {

// Sees each part of the document as it is read, and returns whether to keep it. Depth 0 is the document itself.
using JsonFilter = std::function<bool(int depth, Json::parse_event_t event, const Json& value)>;

// The document, less what `filter` drops. Only a regular file is read.
Json read_json_file(const std::filesystem::path& file, const JsonFilter& filter);

[[noreturn]] void refuse_document(const std::filesystem::path& file, const Error& error);

// Reads a T out of a document that came from `file`.
template <class T>
void read_document(const std::filesystem::path& file, const Value& in, T& out) {
  try {
    read(in, out);
  } catch (const Error& error) {
    refuse_document(file, error);
  }
}

}  // namespace cloudai::results
