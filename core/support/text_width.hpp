// Texts on a terminal: how many columns they take, and what of them must not get there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cloudai {

// The columns of a text in UTF-8: two for a wide character, none for one that is laid over the one before it. What
// cannot be shown, such as a control character or a stray byte, counts as one.
std::size_t columns_of(std::string_view text);

// `text` in at most `columns` columns, cut between characters, its end then being "..." (less where that does not fit).
// What cannot be shown is replaced by "?", so that the result can neither move the cursor nor end the line.
std::string fit_columns(std::string_view text, std::size_t columns);

// `text` on one line of a terminal, whoever wrote it: line ends and other control characters of ASCII become blanks,
// and whatever else could move the cursor, set a colour or turn the direction of writing becomes "?".
std::string one_line(std::string_view text);

// The same with line feeds and tabs as they are.
std::string without_controls(std::string_view text);

}  // namespace cloudai
