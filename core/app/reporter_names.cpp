#include "core/app/reporter_names.hpp"

#include "core/app/complaints.hpp"

namespace cloudai::app {

bool are_reporters(const std::vector<std::string>& names, const module::Catalogue& catalogue) {
  bool all_known = true;
  for (const std::string& name : names) {
    const auto found = catalogue.find(module::reporter_interface, name);
    if (found) continue;
    all_known = false;
    fail({found.error().kind, "--report: " + found.error().message, found.error().hint});
  }
  return all_known;
}

}  // namespace cloudai::app
