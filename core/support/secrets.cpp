#include "core/support/secrets.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cloudai {

bool is_secret(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  static constexpr std::string_view words[] = {"TOKEN", "KEY", "SECRET", "PASSWORD"};
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

}  // namespace cloudai
