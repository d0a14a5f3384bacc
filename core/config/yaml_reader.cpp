#include "core/config/yaml_reader.hpp"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <sstream>
#include <utility>

#include "core/config/source_text.hpp"
#include "core/config/yaml_tree.hpp"

namespace cloudai::config {
namespace {

using File = std::shared_ptr<const std::string>;

struct Explanation {
  std::string_view message;  // how yaml-cpp's begins
  std::string_view sentence;
};

// yaml-cpp speaks to those who know the grammar.
constexpr std::array explanations = {
    Explanation{"illegal map value",
                "found ':' where no key can stand. Check the indentation, and quote a text that contains ': '."},
    Explanation{"illegal map key", "no key can stand here. Check the indentation."},
    Explanation{"illegal block entry", "no item of a list can stand here. Begin the list on a line of its own."},
    Explanation{"end of map not found", "expected the next key or the end of the table. Check the indentation."},
    Explanation{"end of sequence not found", "expected the next '- ' or the end of the list. Check the indentation."},
    Explanation{"end of map flow not found", "a table that '{' opens is not closed by '}'."},
    Explanation{"end of sequence flow not found", "a list that '[' opens is not closed by ']'."},
    Explanation{"illegal flow end", "found a closing bracket that no opening one belongs to."},
    Explanation{"unknown token", "no text can begin with this character. Write it in quotes."},
    Explanation{"the referenced anchor is not defined", "no anchor ('&name') before this alias has its name."},
};

// Whether a tab stands in the indentation of the line.
bool has_tab_in_indentation(TextPlaces& places, std::uint32_t line) {
  const std::string_view text = places.from(line, 1);
  const std::size_t end = text.find_first_not_of(" \t");
  return text.substr(0, end).find('\t') != text.npos;
}

std::string sentence_about(const YAML::Exception& exception, bool has_tab) {
  if (has_tab) return "a tab stands in the indentation. Indent with blanks.";
  for (const Explanation& explanation : explanations) {
    if (exception.msg.starts_with(explanation.message)) return std::string(explanation.sentence);
  }
  return exception.msg + ".";
}

// A mistake in the syntax is told alone: the events before it may be guesses at what was meant.
void parse(std::string_view text, YamlTree& tree, Diagnostics& diagnostics) {
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    // Not to the end of the text: yaml-cpp makes documents without end of a comma.
    while (!tree.is_stopped() && parser.HandleNextDocument(tree)) {
    }
  } catch (const YAML::DeepRecursion& exception) {
    diagnostics = Diagnostics();
    diagnostics.error(tree.at(exception.mark), std::string(nested_too_deep));
  } catch (const YAML::Exception& exception) {
    diagnostics = Diagnostics();
    Position position = tree.at(exception.mark);
    TextPlaces places(text);
    const bool has_tab = position.line > 0 && has_tab_in_indentation(places, position.line);
    diagnostics.error(std::move(position), "this is not valid YAML: " + sentence_about(exception, has_tab));
  }
}

}  // namespace

std::optional<Node> parse_yaml(std::string_view content, std::string file_name, Diagnostics& diagnostics) {
  const auto file = std::make_shared<const std::string>(std::move(file_name));
  const std::optional<std::string_view> text = as_text(content, file, diagnostics);
  if (!text) return std::nullopt;
  Diagnostics found;
  YamlTree tree(*text, file, found);
  parse(*text, tree, found);
  for (const Diagnostic& diagnostic : found.all()) diagnostics.add(diagnostic);
  if (found.has_errors()) return std::nullopt;
  return tree.take();
}

}  // namespace cloudai::config
