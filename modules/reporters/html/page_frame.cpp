#include "modules/reporters/html/page_frame.hpp"

#include <string_view>

#include "modules/reporters/html/markup.hpp"
#include "modules/reporters/html/templates.hpp"

namespace cloudai::html {

namespace {

// A hash in hexadecimal digits, as Content-Security-Policy wants it.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string result;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : hex) {
    held = (held << 4U) | digit(c);
    bits += 4;
    if (bits < 6) continue;
    bits -= 6;
    result += letters[(held >> bits) & 63U];
  }
  if (bits > 0) result += letters[(held << (6 - bits)) & 63U];
  while (result.size() % 4 != 0) result += '=';
  return result;
}

}  // namespace

bool has_chart_script() {
  return !charts_script.empty();
}

std::string page_start(const std::string& title, bool with_charts) {
  static const std::string style_hash = base64_of_hex(style_sha256);
  static const std::string script_hash = base64_of_hex(script_sha256);
  auto part = make_template(page_start_template);
  mustache::object values;
  values["title"] = title;
  values["style_hash"] = style_hash;
  values["script_hash"] = text(with_charts && has_chart_script() ? script_hash : std::string());
  values["style"] = std::string(style_sheet);
  return render(part, values);
}

std::string page_end(bool with_charts) {
  auto part = make_template(page_end_template);
  mustache::object values;
  const bool with_script = with_charts && has_chart_script();
  values["script"] = text(with_script ? std::string(uplot_script) + std::string(charts_script) : std::string());
  return render(part, values);
}

}  // namespace cloudai::html
