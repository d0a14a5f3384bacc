#include "core/app/module_text.hpp"

namespace cloudai::app {

Json module_document(const module::ModuleFile& file, const module::Provided& provided) {
  return {{"kind", module::kind_of(provided.interface_id)},
          {"name", provided.name},
          {"interface", provided.interface_id},
          {"id", file.id},
          {"version", file.version},
          {"path", file.path.string()}};
}

}  // namespace cloudai::app
