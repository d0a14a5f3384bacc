// Texts of users, programs and modules, made fit to be shown to a person.
#pragma once

#include <string>
#include <string_view>

namespace cloudai::results {

// `text` as valid UTF-8 in which nothing acts: of control characters only line feeds and tabs stay, every other is
// shown by its picture (U+2400 and on: "␛" for escape) or its number ("<U+009B>"), and so are the marks that change the
// direction of writing. Bytes that are no UTF-8 and code points that are no characters become U+FFFD. What is left is
// allowed in XML.
std::string printable(std::string_view text);

// The same on one line: a line feed or tab becomes a blank.
std::string printable_line(std::string_view text);

}  // namespace cloudai::results
