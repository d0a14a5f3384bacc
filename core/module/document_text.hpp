// JSON documents as text: what crosses the module boundary is written and read here, within bounds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "core/support/json.hpp"

namespace cloudai::module {

inline constexpr std::size_t max_document_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_document_depth = 64;
// The core's JSON objects keep the order of their keys and look them up one by one: filling a huge one takes hours.
inline constexpr std::size_t max_object_keys = 4096;

// The document in `text`. The error completes a sentence that starts with its subject: "is not valid JSON (at byte 7)".
tl::expected<Json, std::string> parse_document(std::string_view text);

// The document as text; the error likewise ("holds text that is not valid UTF-8").
tl::expected<std::string, std::string> serialise_document(const Json& document);

}  // namespace cloudai::module
