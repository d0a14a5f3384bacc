// The files of templates/, embedded by the build.
#pragma once

#include <string_view>

namespace cloudai::html {

extern const std::string_view head_template;
extern const std::string_view run_template;
extern const std::string_view chart_template;  // a part of run_template
extern const std::string_view foot_template;
extern const std::string_view style_sheet;
extern const std::string_view style_sha256;  // in hexadecimal digits

}  // namespace cloudai::html
