// How many columns a text takes on a terminal.
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

}  // namespace cloudai
