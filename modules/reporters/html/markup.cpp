#include "modules/reporters/html/markup.hpp"

#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/status.hpp"

namespace cloudai::html {

mustache::data text(const std::string& value) {
  return value.empty() ? mustache::data(false) : mustache::data(value);
}

void set_list(mustache::object& object, const std::string& name, const mustache::list& list) {
  object["has_" + name] = !list.empty();
  object[name] = mustache::data(list);
}

void set_status(mustache::object& object, const std::string& status) {
  const RunStatus known = to_status(status);
  object["status"] = std::string(name_of(known));
  object["word"] = word_of(known, status);
}

mustache::mustache make_template(std::string_view source) {
  mustache::mustache part{std::string(source)};
  part.set_custom_escape([](const std::string& value) { return escape(value); });
  return part;
}

std::string render(mustache::mustache& part, const mustache::object& values) {
  std::string result;
  part.render(mustache::data(values), [&](const std::string& piece) { result += piece; });
  return result;
}

void Facts::add(const std::string& name, const std::string& value, const std::string& quiet) {
  if (value.empty()) return;
  mustache::object fact;
  fact["name"] = name;
  fact["value"] = value;
  fact["quiet"] = text(quiet);
  list_.emplace_back(fact);
}

}  // namespace cloudai::html
