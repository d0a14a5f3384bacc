#include "modules/reporters/html/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace cloudai::html {

namespace {

std::string printed(const char* format, int digits, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, digits, value);
  return buffer.data();
}

// What has no place on the page besides control characters: U+FFFE and U+FFFF, which XML refuses, and the marks that
// turn the direction of all text after them, which lets a name look like another.
bool is_unwanted(std::string_view rest) {
  const std::string_view code_point = rest.substr(0, 3);
  if (code_point == "\xEF\xBF\xBE" || code_point == "\xEF\xBF\xBF") return true;
  return (code_point >= "\xE2\x80\xAA" && code_point <= "\xE2\x80\xAE") ||
         (code_point >= "\xE2\x81\xA6" && code_point <= "\xE2\x81\xA9");
}

bool is_plain_in_url(char c) {
  constexpr std::string_view others = "-._~/";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      result += replacement;
    } else if (is_unwanted(text.substr(i))) {
      result += replacement;
      i += 2;
    } else {
      result += c;
    }
  }
  return result;
}

std::string escape(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (const char c : printable(text)) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\'') {
      result += "&#39;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (size >= 1000 && size < 1e7) return printed("%.*f", 0, value);
  return printed("%.*g", 4, value);
}

std::string bytes_text(double value) {
  constexpr std::array<const char*, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = value == std::floor(value) ? 0 : 1;
  return printed("%.*f", decimals, value) + " " + units.at(unit);
}

std::string duration_text(double seconds) {
  if (seconds < 60) return printed("%.*f", seconds < 10 ? 2 : 1, seconds) + " s";
  const auto whole = static_cast<long long>(std::llround(seconds));
  std::string text;
  if (whole >= 3600) text += std::to_string(whole / 3600) + " h ";
  if (whole % 3600 >= 60) text += std::to_string(whole % 3600 / 60) + " min ";
  if (whole % 60 != 0) text += std::to_string(whole % 60) + " s ";
  text.pop_back();
  return text;
}

std::string unit_text(std::string_view unit) {
  return std::string(unit == "us" ? "µs" : unit);
}

std::string quantity_text(double value, std::string_view unit) {
  if (unit == "B") return bytes_text(value);
  if (unit == "s") return duration_text(value);
  if (unit == "1" || unit.empty()) return number_text(value);
  return number_text(value) + " " + unit_text(unit);
}

namespace {

std::string size_text(const std::string& digits) {
  double bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return error == std::errc() && end == digits.data() + digits.size() ? bytes_text(bytes) : digits;
}

std::string label_text(const std::string& name, const std::string& value) {
  if (name == "collective") return value;
  if (name == "size") return size_text(value);
  if (name == "placement" && value == "in") return "in place";
  if (name == "placement" && value == "out") return "out of place";
  return name + " " + value;
}

}  // namespace

std::string labels_text(const std::map<std::string, std::string>& labels) {
  constexpr std::array<const char*, 3> first = {"collective", "size", "placement"};
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    text += (text.empty() ? "" : ", ") + label_text(name, value);
  };
  for (const char* name : first) {
    if (const auto label = labels.find(name); label != labels.end()) add(label->first, label->second);
  }
  for (const auto& [name, value] : labels) {
    if (std::find(first.begin(), first.end(), name) == first.end()) add(name, value);
  }
  return text;
}

std::string unit_of_column(const std::string& name, const std::string& unit) {
  if (!unit.empty()) return unit;
  for (const char* known : {"GB/s", "us", "s", "B"}) {
    if (name.find(std::string("(") + known + ")") != std::string::npos) return known;
  }
  return {};
}

std::string without_unit(const std::string& name, const std::string& unit) {
  const std::string ending = " (" + unit + ")";
  const bool has_unit =
      name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
  return has_unit ? name.substr(0, name.size() - ending.size()) : name;
}

std::string time_text(const std::string& time) {
  if (time.size() < 20 || time[10] != 'T' || time.back() != 'Z') return time;
  return time.substr(0, 10) + " " + time.substr(11, 8) + " UTC";
}

std::string count_text(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "-._~/=:,@%+";
  const auto is_plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           plain.find(c) != std::string_view::npos;
  };
  if (!word.empty() && word.front() != '~' && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string link(const std::string& relative_path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result = "./";
  for (const char c : relative_path) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain_in_url(c)) {
      result += c;
    } else {
      result += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return result;
}

}  // namespace cloudai::html
