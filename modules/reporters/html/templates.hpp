// The files of templates/, embedded by the build.
#pragma once

#include <string_view>

namespace cloudai::html {

extern const std::string_view page_start_template;
extern const std::string_view page_end_template;
extern const std::string_view scenario_head_template;
extern const std::string_view scenario_foot_template;
extern const std::string_view run_row_template;
extern const std::string_view run_page_template;
extern const std::string_view stages_template;      // a part of the two before
extern const std::string_view provenance_template;  // of what a page was made
extern const std::string_view style_sheet;
extern const std::string_view style_sha256;  // in hexadecimal digits

// The script of a page with charts, in two parts. Both are empty where the build had no uPlot.
extern const std::string_view uplot_script;
extern const std::string_view charts_script;
extern const std::string_view script_sha256;  // of both together

}  // namespace cloudai::html
