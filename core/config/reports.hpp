// The tables [reports.<name>] of a system or scenario file.
#pragma once

#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

// `table` is the table "reports"; its members are tables. Each name must be that of a reporter, whose schema its
// options are checked against.
std::vector<Report> read_reports(const Node& table, const module::Catalogue& modules, Diagnostics& diagnostics);

}  // namespace cloudai::config
