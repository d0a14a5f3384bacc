// What every page has around its contents: a policy that lets nothing in from outside, the styles, the icons, and the
// script that draws charts again where scripts run.
#pragma once

#include <string>

namespace cloudai::html {

// Up to the start of <body>. A page without charts takes no script.
std::string page_start(const std::string& title, bool with_charts);

// The script, and the end.
std::string page_end(bool with_charts);

// Whether charts can be drawn by a script at all: the build had uPlot.
bool has_chart_script();

}  // namespace cloudai::html
