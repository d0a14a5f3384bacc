#include "workload_names.hpp"

#include <algorithm>

namespace runai {
namespace {

constexpr std::size_t longest = 34;

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Letters of other alphabets, dots, underscores and all else become one hyphen.
std::string plain(std::string_view text) {
  std::string name;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (is_letter(c) || is_digit(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name;
}

std::string without_end_hyphens(std::string name) {
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

std::string joined(std::string name, std::size_t most, std::string_view tag) {
  if (name.empty() || !is_letter(name.front())) name = "w" + (name.empty() ? name : "-" + name);
  name = without_end_hyphens(name.substr(0, most - tag.size() - 1));
  return name + "-" + std::string(tag);
}

}  // namespace

std::string workload_name(std::string_view job_name, std::string_view tag) {
  return joined(plain(job_name), longest, tag);
}

std::string other_workload_name(std::string_view name, std::string_view tag) {
  const std::string_view start = name.substr(0, name.size() - std::min(name.size(), tag.size()));
  return joined(without_end_hyphens(std::string(start.substr(0, longest - tag.size() - 3))) + "-2", longest, tag);
}

std::string common_prefix(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string prefix = names.front();
  for (const std::string& name : names) {
    const auto end = std::mismatch(prefix.begin(), prefix.end(), name.begin(), name.end()).first;
    prefix.erase(end, prefix.end());
  }
  return prefix;
}

}  // namespace runai
