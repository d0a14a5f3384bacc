// Checking a part of a file against a JSON Schema.
#pragma once

#include <memory>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/violations.hpp"
#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::config {

// A JSON Schema, compiled once, since a scenario may have thousands of values to check. Copies share what is compiled;
// not for use by several threads at once.
class Schema {
 public:
  // A schema that is none is an error that says why.
  static Result<Schema> compile(Json schema);

  const Json& json() const;

  // One error for each violation, at the place of the member at fault. True if there is none.
  bool check(const Node& value, const Subject& subject, Diagnostics& diagnostics) const;

  // As check; the result is `value`, a table, without the members at fault (of a member that is a list: without the
  // items at fault), so that the rest can be read and checked further.
  Node good_part(Node value, const Subject& subject, Diagnostics& diagnostics) const;

 private:
  struct Compiled;
  explicit Schema(std::shared_ptr<const Compiled> compiled);
  std::vector<Violation> find(const Node& value, const Subject& subject) const;

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace cloudai::config
