// Reading documents: a JSON value that knows where it stands, so that a refusal can name the place.
//
// A struct of a document has two functions beside it: `void read(const Value&, T&)` and `void to_json(Json&, const
// T&)`. So `from_json<Plan>(json)` reads any of them and `Json(plan)` writes it. Keys a reader does not know are
// ignored.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cloudai/error.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

using Json = nlohmann::ordered_json;  // keeps the order of keys

class Value {
 public:
  explicit Value(const Json& json) : json_(&json) {}
  // A member or an element of `parent`, which must outlive it.
  Value(const Json& json, const Value& parent, std::string key)
      : json_(&json), parent_(&parent), key_(std::move(key)) {}

  const Json& json() const { return *json_; }

  // Where the value stands in its document, as a JSON pointer; "" for the whole document.
  std::string path() const {
    if (parent_ == nullptr) return {};
    return parent_->path() + "/" + escaped(key_);
  }

  // Throws Error(invalid_document): "/stage/kind is a number; expected text."
  [[noreturn]] void refuse(std::string_view expected) const {
    refuse_with(named(path()) + " is " + described() + "; expected " + std::string(expected) + ".", path());
  }

  // The member `key`. A missing or mistyped one throws Error(invalid_document).
  template <class T>
  T get(std::string_view key) const {
    const Json* member = find_member(key);
    if (member == nullptr) {
      const std::string where = path() + "/" + escaped(key);
      refuse_with(named(where) + " is missing.", where);
    }
    return convert<T>(*member, key);
  }

  // The member `key`, or nothing if there is none.
  template <class T>
  std::optional<T> find(std::string_view key) const {
    const Json* member = find_member(key);
    if (member == nullptr) return std::nullopt;
    return convert<T>(*member, key);
  }

  // The member `key`, or `otherwise` if there is none.
  template <class T>
  T get_or(std::string_view key, T otherwise) const {
    const Json* member = find_member(key);
    if (member == nullptr) return otherwise;
    return convert<T>(*member, key);
  }

  // Refuses a document of another kind or another major version.
  void require_schema(std::string_view schema) const {
    const auto found = get<std::string>("schema");
    if (found == schema) return;
    refuse_with("The document has the schema '" + found + "'; expected '" + std::string(schema) + "'.", "/schema");
  }

 private:
  const Json* find_member(std::string_view key) const {
    if (!json_->is_object()) refuse("an object");
    const auto member = json_->find(key);
    return member == json_->end() ? nullptr : &*member;
  }

  template <class T>
  T convert(const Json& member, std::string_view key) const {
    T result{};
    read(Value(member, *this, std::string(key)), result);
    return result;
  }

  std::string described() const {
    if (json_->is_null()) return "null";
    if (json_->is_object()) return "an object";
    if (json_->is_array()) return "an array";
    if (json_->is_string()) return "the text '" + json_->get<std::string>().substr(0, 80) + "'";
    if (json_->is_boolean()) return "a boolean";
    return "the number " + json_->dump();
  }

  static std::string named(const std::string& path) { return path.empty() ? "The document" : path; }

  static std::string escaped(std::string_view key) {
    std::string result;
    for (const char c : key) {
      if (c == '~') {
        result += "~0";
      } else if (c == '/') {
        result += "~1";
      } else {
        result += c;
      }
    }
    return result;
  }

  [[noreturn]] static void refuse_with(const std::string& message, const std::string& path) {
    throw Error(Status::invalid_document, message, {}, path);
  }

  const Json* json_;
  const Value* parent_ = nullptr;
  std::string key_;
};

inline void read(const Value& in, std::string& out) {
  if (!in.json().is_string()) in.refuse("text");
  out = in.json().get_ref<const std::string&>();
}

inline void read(const Value& in, bool& out) {
  if (!in.json().is_boolean()) in.refuse("true or false");
  out = in.json().get<bool>();
}

inline void read(const Value& in, double& out) {
  if (!in.json().is_number()) in.refuse("a number");
  out = in.json().get<double>();
}

inline void read(const Value& in, std::int64_t& out) {
  const bool too_large = in.json().is_number_unsigned() &&
                         in.json().get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (!in.json().is_number_integer() || too_large) in.refuse("an integer");
  out = in.json().get<std::int64_t>();
}

inline void read(const Value& in, int& out) {
  std::int64_t wide = 0;
  read(in, wide);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) in.refuse("a 32-bit integer");
  out = static_cast<int>(wide);
}

inline void read(const Value& in, Json& out) {
  out = in.json();
}

template <class T>
void read(const Value& in, std::vector<T>& out) {
  if (!in.json().is_array()) in.refuse("an array");
  out.clear();
  out.reserve(in.json().size());
  for (std::size_t index = 0; index < in.json().size(); ++index) {
    T element{};
    read(Value(in.json()[index], in, std::to_string(index)), element);
    out.push_back(std::move(element));
  }
}

template <class T>
void read(const Value& in, std::map<std::string, T>& out) {
  if (!in.json().is_object()) in.refuse("an object");
  out.clear();
  for (const auto& [key, member] : in.json().items()) read(Value(member, in, key), out[key]);
}

// An enumeration stands in a document as one of the names its function `enum_names` lists, in the order of its
// values.
template <class E, class = std::enable_if_t<std::is_enum_v<E>>, class = decltype(enum_names(E{}))>
void read(const Value& in, E& out) {
  const auto names = enum_names(E{});
  const std::string found = in.json().is_string() ? in.json().get<std::string>() : std::string();
  std::string expected;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (found == names[index]) {
      out = static_cast<E>(index);
      return;
    }
    expected += (index == 0 ? "'" : ", '") + std::string(names[index]) + "'";
  }
  in.refuse("one of " + expected);
}

template <class E, class = decltype(enum_names(E{}))>
std::string_view to_string(E value) {
  return enum_names(E{})[static_cast<std::size_t>(value)];
}

// Reads a whole document.
template <class T>
T from_json(const Json& json) {
  T result{};
  read(Value(json), result);
  return result;
}

// Writes a member that is left out where there is nothing to say.
template <class T>
void put_if(Json& out, const char* key, const std::optional<T>& value) {
  if (value) out[key] = *value;
}
template <class T>
void put_unless_empty(Json& out, const char* key, const T& value) {
  if (!value.empty()) out[key] = value;
}

// A table of options whose form only the manifest's schema knows: complete and checked when a module sees it.
struct Options {
  Json json = Json::object();

  template <class T>
  T get(std::string_view key) const {
    return Value(json).get<T>(key);
  }
  template <class T>
  std::optional<T> find(std::string_view key) const {
    return Value(json).find<T>(key);
  }
};

inline void read(const Value& in, Options& out) {
  if (!in.json().is_object()) in.refuse("an object");
  out.json = in.json();
}
inline void to_json(Json& out, const Options& in) {
  out = in.json;
}

struct NamedValue {
  std::string name;
  std::string value;
};

inline void read(const Value& in, NamedValue& out) {
  out.name = in.get<std::string>("name");
  out.value = in.get<std::string>("value");
}
inline void to_json(Json& out, const NamedValue& in) {
  out = Json{{"name", in.name}, {"value", in.value}};
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
