#include "core/module/document_text.hpp"

#include <fmt/format.h>
#include <array>
#include <boost/locale/utf.hpp>
#include <optional>

namespace cloudai::module {
namespace {

std::optional<std::size_t> first_byte_not_utf8(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    const char* const start = at;
    const auto code_point = Utf8::decode(at, text.data() + text.size());
    if (!boost::locale::utf::is_valid_codepoint(code_point)) return static_cast<std::size_t>(start - text.data());
  }
  return std::nullopt;
}

// Depth and keys of an object are counted before parsing, since the parser builds whatever it is given.
std::optional<std::string> beyond_bounds(std::string_view text) {
  std::array<std::size_t, max_document_depth + 1> keys{};
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > max_document_depth) return fmt::format("is nested deeper than {} levels", max_document_depth);
      keys[depth] = 0;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    } else if (c == ':' && ++keys[depth] > max_object_keys) {
      return fmt::format("has an object of more than {} keys", max_object_keys);
    }
  }
  return std::nullopt;
}

}  // namespace

tl::expected<Json, std::string> parse_document(std::string_view text) {
  if (text.size() > max_document_bytes) {
    return tl::make_unexpected(fmt::format("is larger than {} MiB", max_document_bytes >> 20));
  }
  if (const auto byte = first_byte_not_utf8(text)) {
    return tl::make_unexpected(fmt::format("is not valid UTF-8 (at byte {})", *byte + 1));
  }
  if (auto problem = beyond_bounds(text)) return tl::make_unexpected(std::move(*problem));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return tl::make_unexpected(fmt::format("is not valid JSON (at byte {})", error.byte));
  } catch (const Json::exception&) {
    return tl::make_unexpected(std::string("is not valid JSON (a number is out of range)"));
  }
}

tl::expected<std::string, std::string> serialise_document(const Json& document) {
  try {
    return document.dump();
  } catch (const Json::exception&) {
    return tl::make_unexpected(std::string("holds text that is not valid UTF-8"));
  }
}

}  // namespace cloudai::module
