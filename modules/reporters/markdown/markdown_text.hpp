// Texts of users and programs inside Markdown, where they must stay texts.
#pragma once

#include <string>
#include <string_view>

namespace cloudai::markdown {

// `text` as a code span on one line: the one place where neither markup nor HTML, links, mentions and references to
// issues mean anything. Pipes are escaped, so that it may stand in a table and nowhere else.
std::string table_code(std::string_view text);

// The same for everywhere but tables.
std::string code(std::string_view text);

}  // namespace cloudai::markdown
