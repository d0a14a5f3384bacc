// The manifest of a module: who it is and what it provides. Checked before anything else of the module is believed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "core/module/catalogue.hpp"

namespace cloudai::module {

struct Manifest {
  std::string id;
  std::string version;
  std::vector<Provided> provides;
  Json document;
};

// The error completes a sentence that starts with the file's name: "needs module ABI 0.3; this cloudai offers 0.0.
// Update cloudai."
tl::expected<Manifest, std::string> read_manifest(std::string_view text);

}  // namespace cloudai::module
