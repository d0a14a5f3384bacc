#include <fmt/format.h>

#include <set>
#include <string>

#include "core/conformance/check.hpp"
#include "core/conformance/scripted_cluster.hpp"
#include "core/module/guarded.hpp"
#include "core/module/in_process_module.hpp"
#include "core/module/interface_table.hpp"
#include "core/module/preflight.hpp"
#include "core/module/reply.hpp"

namespace cloudai::conformance {
namespace {

constexpr std::string_view unknown_interface = "cloudai.unknown/1";

// Of an interface that is not in the manifest a module gives nothing, be it one that we know or not.
void check_absent(const cloudai_module_entry& entry, std::string_view id, const Context& context, Findings& findings) {
  context.now(fmt::format("get_interface() of '{}'", id));
  const void* vtable = nullptr;
  const auto thrown = module::guarded([&] { vtable = entry.get_interface({id.data(), id.size()}); });
  if (thrown) findings.fault(fmt::format("get_interface() threw {}.", *thrown));
  if (vtable != nullptr) {
    findings.fault(
        fmt::format("get_interface() gives something for '{}', which is not in the manifest; expected null.", id));
  }
}

void check_interfaces(const cloudai_module_entry& entry, const module::ModuleFile& file, const Context& context,
                      Findings& findings) {
  std::set<std::string> provided;
  for (const auto& provider : file.provides) provided.insert(provider.interface_id);
  for (const std::string& id : provided) {
    const module::InterfaceTable* table = module::interface_table(id);
    if (table == nullptr) {
      findings.fault(fmt::format("The manifest names the interface '{}', which this cloudai does not know.", id));
      continue;
    }
    context.now(fmt::format("get_interface() of '{}'", id));
    const void* vtable = nullptr;
    const auto thrown = module::guarded([&] { vtable = entry.get_interface({id.data(), id.size()}); });
    if (thrown) findings.fault(fmt::format("get_interface() threw {}.", *thrown));
    const auto problem = module::problem_of_vtable(*table, vtable);
    if (!thrown && problem) findings.fault("The module " + *problem);
  }
  for (const auto known : {module::workload_interface, module::scheduler_interface, module::reporter_interface}) {
    if (!provided.contains(std::string(known))) check_absent(entry, known, context, findings);
  }
  check_absent(entry, unknown_interface, context, findings);
  check_absent(entry, {}, context, findings);
}

}  // namespace

void check_abi(const Context& context, Findings& findings) {
  const auto file = module::preflight(context.file);
  if (!file) return findings.fault(file.error().reason);
  context.now("the loading of the file");
  const auto entry = module::open_entry(*file);
  if (!entry) return findings.fault(entry.error().message);
  findings.note(fmt::format("ABI {}.{}", (*entry)->abi_major, (*entry)->abi_minor_required));
  // Interfaces are asked for after init alone; whether init is as it should be is the next check's matter.
  const ScriptedCluster cluster;
  module::ReplySink reply;
  cloudai_status status = CLOUDAI_INTERNAL;
  context.now("init()");
  const auto thrown = module::guarded([&] { status = (*entry)->init(cluster.host(), reply.sink()); });
  if (!thrown && status == CLOUDAI_OK) check_interfaces(**entry, *file, context, findings);
}

void check_load(const Context& context, Findings& findings) {
  const auto file = module::preflight(context.file);
  if (!file) return findings.fault(file.error().reason);
  const ScriptedCluster cluster;
  context.now("the loading of the file or init()");
  auto module = module::InProcessModule::load(*file, *cluster.host());
  if (!module) return findings.fault(module.error().message);
  context.now("deinit()");
  module->reset();
}

}  // namespace cloudai::conformance
