// A loaded module under test: calls with any text as request, and what came of each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/conformance/check.hpp"
#include "core/conformance/scripted_cluster.hpp"
#include "core/module/in_process_module.hpp"

namespace cloudai::conformance {

// What a module answered to one call.
struct Answer {
  cloudai_status status = CLOUDAI_INTERNAL;
  Json document;                     // the reply; of a status other than ok the error document
  std::string text;                  // the reply as it was written
  std::optional<std::string> fault;  // what no module may do: no message, no JSON, an unknown status, ...

  bool is_ok() const { return status == CLOUDAI_OK && !fault; }
};

class Subject {
 public:
  // Loads and initialises the module. The error is the sentence of the loader or of the module.
  static Result<std::unique_ptr<Subject>> load(const Context& context);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const module::ModuleFile& file() const { return file_; }
  const module::InProcessModule& module() const { return *module_; }
  ScriptedCluster& cluster() { return cluster_; }

  // Calls `function` of `interface_id`. `situation` completes "plan() ": "with an empty request". The instance is that
  // of an opened scheduler, else null.
  Answer call(std::string_view interface_id, std::string_view function, std::string_view request,
              const std::string& situation, void* instance = nullptr);

  // Opens a scheduler; on success `instance` is to be given to close().
  Answer open(std::string_view request, const std::string& situation, void** instance);
  void close(void* instance);

 private:
  Subject(const Context& context, module::ModuleFile file);

  const Context& context_;
  module::ModuleFile file_;
  ScriptedCluster cluster_;
  std::shared_ptr<module::InProcessModule> module_;
};

}  // namespace cloudai::conformance
