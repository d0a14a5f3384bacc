// Small things about text that several parts of the simulator need.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace runai_simulator {

// '*' stands for any text, '?' for one character.
bool matches_glob(std::string_view pattern, std::string_view text);
bool matches_any(const std::vector<std::string>& patterns, std::string_view text);

std::string lower_case(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);

// Of `a=1&b=x%20y`; a '+' is a space. The last of equal names counts.
std::map<std::string, std::string> decode_form(std::string_view text);
std::string percent_decoded(std::string_view text);

std::string base64url(std::string_view bytes);

// The words of a command line as a POSIX shell would split and unquote them, nothing expanded. Nothing if a quote is
// open.
std::optional<std::vector<std::string>> shell_words(std::string_view text);

using Random = std::mt19937_64;
// Below `bound`, the same on every platform.
std::uint64_t random_below(Random& random, std::uint64_t bound);
std::string random_uuid(Random& random);
std::string random_letters(Random& random, std::size_t count);

}  // namespace runai_simulator
