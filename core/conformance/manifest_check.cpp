#include <fmt/format.h>

#include "core/conformance/check.hpp"
#include "core/conformance/document_check.hpp"
#include "core/conformance/option_schema.hpp"
#include "core/module/manifest.hpp"
#include "core/module/preflight.hpp"

namespace cloudai::conformance {
namespace {

constexpr const char* option_schemas[] = {"config_schema", "case_schema"};

// Of the options' schemas there are better sentences than those of a schema of schemas.
Json without_option_schemas(Json manifest) {
  for (Json& entry : manifest["provides"]) {
    for (const char* key : option_schemas) {
      if (entry.is_object()) entry.erase(key);
    }
  }
  return manifest;
}

}  // namespace

void check_manifest(const Context& context, Findings& findings) {
  const auto elf = module::preflight_file(context.file);
  if (!elf) return findings.fault(elf.error().reason);
  const auto manifest = module::read_manifest(*elf->manifest);
  if (!manifest) return findings.fault(fmt::format("{} {}", context.file.string(), manifest.error()));
  for (auto& fault : faults_of(without_option_schemas(manifest->document), "manifest", "the manifest")) {
    findings.fault(std::move(fault));
  }
  for (const auto& provided : manifest->provides) {
    const std::string owner = fmt::format("{} '{}'", module::kind_of(provided.interface_id), provided.name);
    for (const char* key : option_schemas) {
      const auto schema = provided.manifest_entry.find(key);
      if (schema != provided.manifest_entry.end()) check_option_schema(*schema, owner, findings);
    }
  }
  findings.note(fmt::format("{} {}", manifest->id, manifest->version));
}

}  // namespace cloudai::conformance
