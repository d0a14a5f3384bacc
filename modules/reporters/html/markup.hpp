// Helpers for the values that templates are filled with. Every text is escaped when a template is rendered.
#pragma once

#include <kainjow/mustache.hpp>
#include <string>
#include <string_view>

namespace cloudai::html {

namespace mustache = kainjow::mustache;

// An empty text is "no", so that a section of it is left out. It must be set all the same: a name that is not found is
// looked for further out, where it may be somebody else's.
mustache::data text(const std::string& value);

// The list, and as has_<name> whether there is anything in it.
void set_list(mustache::object& object, const std::string& name, const mustache::list& list);

// The class and the word of a status.
void set_status(mustache::object& object, const std::string& status);

mustache::mustache make_template(std::string_view source);

std::string render(mustache::mustache& part, const mustache::object& values);

// Names and values for a description list; what has no value is left out.
class Facts {
 public:
  void add(const std::string& name, const std::string& value, const std::string& quiet = {});
  mustache::list list() { return std::move(list_); }

 private:
  mustache::list list_;
};

}  // namespace cloudai::html
