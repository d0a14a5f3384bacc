#include "core/conformance/option_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/schema_check.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::conformance {
namespace {

// The documented subset of JSON Schema (docs: config_schema).
const std::vector<std::string>& keywords() {
  static const std::vector<std::string> known = {"type",
                                                 "properties",
                                                 "required",
                                                 "additionalProperties",
                                                 "enum",
                                                 "const",
                                                 "minimum",
                                                 "maximum",
                                                 "pattern",
                                                 "exclusiveMinimum",
                                                 "exclusiveMaximum",
                                                 "minLength",
                                                 "maxLength",
                                                 "items",
                                                 "minItems",
                                                 "maxItems",
                                                 "default",
                                                 "anyOf",
                                                 "oneOf",
                                                 "writeOnly",
                                                 "description",
                                                 "x-unit",
                                                 "x-sweepable"};
  return known;
}

class Walker {
 public:
  Walker(const std::string& owner, Findings& findings) : owner_(owner), findings_(findings) {}

  // `path` is that of the option, empty for the table of all options.
  void walk(const Json& schema, const std::string& path) {
    if (!schema.is_object()) return;
    for (const auto& [keyword, value] : schema.items()) check_keyword(keyword, path);
    check_pattern(schema, path);
    check_default(schema, path);
    check_required(schema, path);
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [name, option] : properties.items()) {
      const std::string place = path.empty() ? name : path + "." + name;
      check_description(option, place);
      walk(option, place);
    }
    for (const char* nested : {"items", "additionalProperties"}) {
      if (schema.contains(nested)) walk(schema[nested], path + (nested[0] == 'i' ? "[]" : ".<name>"));
    }
    for (const char* alternatives : {"anyOf", "oneOf"}) {
      for (const Json& alternative : schema.value(alternatives, Json::array())) walk(alternative, path);
    }
  }

 private:
  std::string of(const std::string& path) const {
    return path.empty() ? "the options of " + owner_ : fmt::format("option '{}' of {}", path, owner_);
  }

  void check_keyword(const std::string& keyword, const std::string& path) {
    if (std::find(keywords().begin(), keywords().end(), keyword) != keywords().end()) return;
    const std::string advice = did_you_mean(keyword, keywords());
    findings_.fault(fmt::format("The keyword '{}' in the schema of {} is outside the documented subset{}", keyword,
                                of(path), advice.empty() ? "." : advice));
  }

  void check_description(const Json& option, const std::string& path) {
    if (option.is_object() && !text_of(option, "description").empty()) return;
    findings_.fault(fmt::format("There is no description of {}.", of(path)));
  }

  void check_pattern(const Json& schema, const std::string& path) {
    const std::string pattern = text_of(schema, "pattern");
    try {
      static_cast<void>(std::regex(pattern, std::regex::ECMAScript));
    } catch (const std::regex_error&) {
      findings_.fault(fmt::format("The pattern of {} is no regular expression: '{}'.", of(path), pattern));
    }
  }

  void check_required(const Json& schema, const std::string& path) {
    const Json properties = schema.value("properties", Json::object());
    for (const Json& name : schema.value("required", Json::array())) {
      if (!name.is_string() || properties.contains(name.get<std::string>())) continue;
      findings_.fault(
          fmt::format("'{}' is required in {}, but there is no such option.", name.get<std::string>(), of(path)));
    }
  }

  void check_default(const Json& schema, const std::string& path) {
    if (!schema.contains("default")) return;
    const auto compiled = config::Schema::compile(schema);
    if (!compiled) return;  // said of the whole
    config::Diagnostics diagnostics;
    compiled->check(config::to_node(schema["default"], {}), {"option", owner_, path}, diagnostics);
    for (const auto& diagnostic : diagnostics.all()) {
      findings_.fault(fmt::format("The default of {} is none that it allows: {}", of(path), diagnostic.message));
    }
  }

  const std::string& owner_;
  Findings& findings_;
};

}  // namespace

void check_option_schema(const Json& schema, const std::string& owner, Findings& findings) {
  const auto compiled = config::Schema::compile(schema);
  if (!compiled) findings.fault(fmt::format("Of {}: {}", owner, compiled.error().message));
  Walker(owner, findings).walk(schema, "");
}

}  // namespace cloudai::conformance
