#include "core/config/path_expansion.hpp"

#include <cctype>
#include <cstdlib>
#include <system_error>

namespace cloudai::config {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

Result<std::string> value_of(const std::string& name, const std::string& path, const Environment& environment) {
  const std::optional<std::string> value = environment(name);
  if (value && !value->empty()) return *value;
  return usage_error("the environment variable '" + name + "' in '" + path + "' is " + (value ? "empty." : "not set."));
}

// The name after a '$' at `at`, and where the text goes on; an empty name if the '$' stands for itself.
struct Reference {
  std::string name;
  std::size_t end = 0;
};

Result<Reference> reference_at(const std::string& text, std::size_t at) {
  std::size_t begin = at + 1;
  const bool has_brace = begin < text.size() && text[begin] == '{';
  if (has_brace) ++begin;
  std::size_t end = begin;
  while (end < text.size() && is_name_character(text[end])) ++end;
  if (!has_brace) return Reference{text.substr(begin, end - begin), end};
  if (end == begin || end == text.size() || text[end] != '}') {
    return usage_error("'" + text + "' has a '${' without a name and '}'.");
  }
  return Reference{text.substr(begin, end - begin), end + 1};
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<std::filesystem::path> expand_path(const std::string& text, const Environment& environment) {
  std::string expanded;
  std::size_t i = 0;
  if (text == "~" || text.starts_with("~/")) {
    const Result<std::string> home = value_of("HOME", text, environment);
    if (!home) return tl::make_unexpected(home.error());
    expanded = *home;
    i = 1;
  } else if (text.starts_with('~')) {
    return usage_error("'" + text + "' names another user's home; only '~/' is supported.");
  }
  while (i < text.size()) {
    if (text[i] != '$') {
      expanded += text[i++];
      continue;
    }
    const Result<Reference> reference = reference_at(text, i);
    if (!reference) return tl::make_unexpected(reference.error());
    if (reference->name.empty()) {
      expanded += text[i++];
      continue;
    }
    const Result<std::string> value = value_of(reference->name, text, environment);
    if (!value) return tl::make_unexpected(value.error());
    expanded += *value;
    i = reference->end;
  }
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(expanded, error);
  if (error) return trouble("the working directory cannot be found: " + error.message() + ".");
  return absolute.lexically_normal();
}

}  // namespace cloudai::config
