// Values as bash text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace standalone {

// One word that bash takes literally: bare where nothing in it is special, else in single quotes.
std::string literal_word(std::string_view text);

// The words of a command, each literal, with blanks between.
std::string literal_words(const std::vector<std::string>& words);

// One word in double quotes, in which bash expands $NAME, ${NAME} and $(command) and takes everything else literally;
// `\$` is a dollar. A `$(` that is never closed is literal.
std::string expanding_word(std::string_view text);

// True if expanding_word(text) runs a command.
bool runs_a_command(std::string_view text);

// `text` on one line: control characters become blanks. For comments and messages.
std::string one_line(std::string_view text);

}  // namespace standalone
