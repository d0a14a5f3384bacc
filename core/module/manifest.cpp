#include "core/module/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"
#include "core/module/document_text.hpp"

namespace cloudai::module {
namespace {

constexpr std::string_view manifest_schema = "cloudai.manifest/1";

// What a manifest that we cannot use gets wrong; all of it, since its author repairs it at one go.
using Problems = std::vector<std::string>;

const Json* member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

// Ids and names stand in file names, tables and the user's TOML: no space, nothing that moves a cursor.
bool is_plain(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                              "0123456789._+-") == std::string_view::npos;
}

// "cloudai.workload/1": a name and a major version.
bool is_versioned_id(std::string_view text) {
  const auto slash = text.find('/');
  return slash != std::string_view::npos && is_plain(text.substr(0, slash)) && is_plain(text.substr(slash + 1));
}

std::string plain_text(const Json& object, const char* key, const std::string& where, Problems& problems) {
  const Json* value = member(object, key);
  if (value == nullptr) {
    problems.push_back(fmt::format("'{}{}' is missing", where, key));
  } else if (!value->is_string() || !is_plain(value->get_ref<const std::string&>())) {
    problems.push_back(fmt::format("'{}{}' is not a text of letters, digits and ._+-", where, key));
  } else {
    return value->get<std::string>();
  }
  return {};
}

std::string interface_id(const Json& entry, const std::string& where, Problems& problems) {
  const Json* id = member(entry, "interface");
  if (id != nullptr && id->is_string() && is_versioned_id(id->get_ref<const std::string&>())) return *id;
  problems.push_back(fmt::format("'{}interface' is not an interface such as '{}'", where, workload_interface));
  return {};
}

std::vector<std::string> texts(const Json& object, const char* key, const std::string& where, Problems& problems) {
  const Json* value = member(object, key);
  if (value == nullptr) return {};
  const auto is_text = [](const Json& item) { return item.is_string(); };
  if (!value->is_array() || !std::all_of(value->begin(), value->end(), is_text)) {
    problems.push_back(fmt::format("'{}{}' is not a list of texts", where, key));
    return {};
  }
  return value->get<std::vector<std::string>>();
}

// No schema means no options.
Json option_schema(const Json& entry, const char* key, const std::string& where, Problems& problems) {
  const Json* schema = member(entry, key);
  if (schema == nullptr) return {{"type", "object"}, {"additionalProperties", false}};
  const Json* type = schema->is_object() ? member(*schema, "type") : nullptr;
  const Json* properties = schema->is_object() ? member(*schema, "properties") : nullptr;
  if (type == nullptr || *type != "object") {
    problems.push_back(fmt::format("'{}{}' is not a JSON Schema of type 'object'", where, key));
  } else if (properties != nullptr && !properties->is_object()) {
    problems.push_back(fmt::format("'{}{}.properties' is not an object", where, key));
  }
  return *schema;
}

void check_metrics(const Json& entry, const std::string& where, Problems& problems) {
  const Json* metrics = member(entry, "metrics");
  if (metrics == nullptr) return;
  const auto is_metric = [](const Json& metric) {
    const Json* name = metric.is_object() ? member(metric, "name") : nullptr;
    return name != nullptr && name->is_string();
  };
  if (!metrics->is_array() || !std::all_of(metrics->begin(), metrics->end(), is_metric)) {
    problems.push_back(fmt::format("'{}metrics' is not a list of objects with a 'name'", where));
  }
}

Provided read_provided(const Json& entry, const std::string& where, Problems& problems) {
  Provided provided;
  if (!entry.is_object()) {
    problems.push_back(fmt::format("'{}' is not an object", where.substr(0, where.size() - 1)));
    return provided;
  }
  provided.interface_id = interface_id(entry, where, problems);
  provided.name = plain_text(entry, "name", where, problems);
  provided.config_schema = option_schema(entry, "config_schema", where, problems);
  option_schema(entry, "case_schema", where, problems);  // read where it is needed
  provided.capabilities = texts(entry, "capabilities", where, problems);
  provided.needs = texts(entry, "needs", where, problems);
  check_metrics(entry, where, problems);
  provided.manifest_entry = entry;
  return provided;
}

std::vector<Provided> read_provides(const Json& document, Problems& problems) {
  std::vector<Provided> result;
  const Json* provides = member(document, "provides");
  if (provides == nullptr || !provides->is_array() || provides->empty()) {
    problems.emplace_back("'provides' is not a list with at least one entry");
    return result;
  }
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& entry : *provides) {
    result.push_back(read_provided(entry, fmt::format("provides[{}].", result.size()), problems));
    const Provided& provided = result.back();
    if (!provided.name.empty() && !seen.emplace(provided.interface_id, provided.name).second) {
      problems.push_back(fmt::format("{} '{}' is provided twice", kind_of(provided.interface_id), provided.name));
    }
  }
  return result;
}

// Asked before the rest is looked at: a newer manifest may well have a shape we do not know.
std::optional<std::string> unmet_requirement(const Json& document) {
  const Json* schema = member(document, "schema");
  if (schema == nullptr || !schema->is_string() || !is_versioned_id(schema->get_ref<const std::string&>())) {
    return fmt::format("has an invalid manifest: 'schema' is not '{}'.", manifest_schema);
  }
  if (*schema != manifest_schema) {
    return fmt::format("has a manifest of schema '{}'; this cloudai reads '{}'. Use a module built for this cloudai.",
                       schema->get_ref<const std::string&>(), manifest_schema);
  }
  const Json* needed = member(document, "requires");
  if (needed == nullptr) return std::nullopt;
  if (!needed->is_object()) return "has an invalid manifest: 'requires' is not an object.";
  if (const Json* minor = member(*needed, "abi_minor")) {
    if (!minor->is_number_unsigned()) return "has an invalid manifest: 'requires.abi_minor' is not a number from 0.";
    if (minor->get<std::uint64_t>() > CLOUDAI_ABI_MINOR) {
      return fmt::format("needs module ABI {}.{}; this cloudai offers {}.{}. Update cloudai.", CLOUDAI_ABI_MAJOR,
                         minor->get<std::uint64_t>(), CLOUDAI_ABI_MAJOR, CLOUDAI_ABI_MINOR);
    }
  }
  Problems problems;
  for (const auto& id : texts(*needed, "host_interfaces", "requires.", problems)) {
    if (id != CLOUDAI_HOST_PROCESS_V1 && id != CLOUDAI_HOST_COUNTER_V1) {
      return fmt::format("needs the host interface '{}', which this cloudai does not have. Update cloudai.", id);
    }
  }
  if (!problems.empty()) return fmt::format("has an invalid manifest: {}.", problems.front());
  return std::nullopt;
}

}  // namespace

tl::expected<Manifest, std::string> read_manifest(std::string_view text) {
  auto document = parse_document(text);
  if (!document) return tl::make_unexpected(fmt::format("has an invalid manifest: it {}.", document.error()));
  if (!document->is_object()) {
    return tl::make_unexpected(std::string("has an invalid manifest: it is not a JSON object."));
  }
  if (auto unmet = unmet_requirement(*document)) return tl::make_unexpected(std::move(*unmet));

  Problems problems;
  Manifest manifest;
  manifest.id = plain_text(*document, "id", "", problems);
  manifest.version = plain_text(*document, "version", "", problems);
  manifest.provides = read_provides(*document, problems);
  manifest.document = std::move(*document);
  if (!problems.empty()) {
    return tl::make_unexpected(fmt::format("has an invalid manifest: {}.", fmt::join(problems, "; ")));
  }
  return manifest;
}

}  // namespace cloudai::module
