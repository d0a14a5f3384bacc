// The workloads of the installed modules as configuration needs them: their options, ready to check.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/config/diagnostics.hpp"
#include "core/config/schema_check.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

struct WorkloadOptions {
  const module::Provided* provided = nullptr;
  Schema schema;
};

// Each schema is compiled once, on first use.
class Workloads {
 public:
  explicit Workloads(const module::Catalogue& modules) : modules_(modules) {}
  Workloads(const Workloads&) = delete;
  Workloads& operator=(const Workloads&) = delete;

  // Null, and an error at `position`, if no module provides it (code module_missing) or its schema is none.
  const WorkloadOptions* find(const std::string& name, const Position& position, Diagnostics& diagnostics);

 private:
  const module::Catalogue& modules_;
  std::map<std::string, Result<WorkloadOptions>, std::less<>> known_;
};

// "message hint" of an error, for a diagnostic.
std::string sentence_of(const Error& error);

}  // namespace cloudai::config
