// `cloudai schema test|scenario|system [NAME]`: the JSON Schema of a kind of file, for editors. Reads manifests only.
#include "core/app/commands.hpp"
#include "core/app/complaints.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/app/output.hpp"
#include "core/config/editor_schema.hpp"

namespace cloudai::app {

int schema(const GlobalOptions& global, const SchemaOptions& options) {
  const auto catalogue = open_catalogue(global);
  if (!catalogue) return trouble;
  if (options.kind == "scenario") {
    print_json(config::scenario_editor_schema(*catalogue));
    return success;
  }
  const bool is_test = options.kind == "test";
  const module::Provided* provided = nullptr;
  if (!options.name.empty()) {
    const auto found =
        catalogue->find(is_test ? module::workload_interface : module::scheduler_interface, options.name);
    if (!found) return fail(found.error());
    provided = found->provided;
  }
  print_json(is_test ? config::test_editor_schema(*catalogue, provided)
                     : config::system_editor_schema(*catalogue, provided));
  return success;
}

}  // namespace cloudai::app
