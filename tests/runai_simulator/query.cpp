#include "tests/runai_simulator/query.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {
namespace {

constexpr std::size_t most_filters = 10;
constexpr std::array<const char*, 8> operators{"==", "!=", "<=", ">=", "=@", "!@", "=^", "=$"};

struct Filter {
  std::string field;
  std::string operation;
  std::string value;
};

bool known(const ListRules& rules, const std::string& field) {
  return std::find(rules.fields.begin(), rules.fields.end(), field) != rules.fields.end();
}

Filter filter_from(const std::string& text, const ListRules& rules) {
  const auto end = text.find_first_of("=!<>");
  if (end == std::string::npos || end + 3 > text.size())
    throw std::invalid_argument("filterBy: '" + text + "' is no filter");
  Filter filter{text.substr(0, end), text.substr(end, 2), text.substr(end + 2)};
  const bool operation = std::find(operators.begin(), operators.end(), filter.operation) != operators.end();
  if (!operation) throw std::invalid_argument("filterBy: '" + filter.operation + "' is no operator");
  if (!known(rules, filter.field)) throw std::invalid_argument("filterBy: there is no field '" + filter.field + "'");
  return filter;
}

std::string text_of(const Json& item, const std::string& field) {
  const auto value = item.value(field, Json());
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool holds(const Filter& filter, const Json& item) {
  const auto text = text_of(item, filter.field);
  const auto& value = filter.value;
  if (filter.operation == "==") return text == value;
  if (filter.operation == "!=") return text != value;
  if (filter.operation == "=@") return text.find(value) != std::string::npos;
  if (filter.operation == "!@") return text.find(value) == std::string::npos;
  if (filter.operation == "=^") return text.rfind(value, 0) == 0;
  if (filter.operation == "=$") return text.size() >= value.size() && text.substr(text.size() - value.size()) == value;
  // Dates sort as text; numbers of different length would not.
  const bool less = text.size() == value.size() ? text < value : text.size() < value.size();
  return text == value || less == (filter.operation == "<=");
}

std::size_t number(const std::map<std::string, std::string>& query, const std::string& name, std::size_t fallback,
                   std::size_t least, std::size_t most) {
  const auto found = query.find(name);
  if (found == query.end()) return fallback;
  std::size_t value = 0;
  const auto* end = found->second.data() + found->second.size();
  const auto read = std::from_chars(found->second.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < least || value > most) {
    throw std::invalid_argument(name + " must be a number from " + std::to_string(least) + " to " +
                                std::to_string(most));
  }
  return value;
}

std::string text(const std::map<std::string, std::string>& query, const std::string& name) {
  const auto found = query.find(name);
  return found == query.end() ? "" : found->second;
}

std::vector<Json> filtered(const std::vector<Json>& items, const std::map<std::string, std::string>& query,
                           const ListRules& rules) {
  std::vector<Filter> filters;
  if (!text(query, "filterBy").empty()) {
    for (const auto& part : split(text(query, "filterBy"), ',')) filters.push_back(filter_from(part, rules));
  }
  if (filters.size() > most_filters) throw std::invalid_argument("filterBy: there are more than 10 filters");
  const auto search = text(query, "search");
  std::vector<Json> result;
  for (const auto& item : items) {
    const bool passes =
        std::all_of(filters.begin(), filters.end(), [&](const Filter& filter) { return holds(filter, item); });
    if (passes && (search.empty() || text_of(item, "name").find(search) != std::string::npos)) result.push_back(item);
  }
  return result;
}

void sort(std::vector<Json>& items, const std::map<std::string, std::string>& query, const ListRules& rules) {
  const auto order = text(query, "sortOrder");
  if (!order.empty() && order != "asc" && order != "desc") throw std::invalid_argument("sortOrder must be asc or desc");
  const auto field = text(query, "sortBy");
  if (!field.empty()) {
    if (!known(rules, field)) throw std::invalid_argument("sortBy: there is no field '" + field + "'");
    std::stable_sort(items.begin(), items.end(),
                     [&](const Json& left, const Json& right) { return text_of(left, field) < text_of(right, field); });
  }
  if (order.empty() ? rules.descending : order == "desc") std::reverse(items.begin(), items.end());
}

}  // namespace

Answer list_answer(const std::vector<Json>& items, const std::string& encoded, const ListRules& rules) {
  const auto query = decode_form(encoded);
  try {
    auto rest = filtered(items, query, rules);
    sort(rest, query, rules);
    const auto limit = number(query, "limit", 50, 1, 500);
    const auto offset = std::min(number(query, "offset", 0, 0, 1'000'000'000), rest.size());
    Json body = Json::object();
    if (!rules.paged) {
      body[rules.name] = rest;
      return json_answer(200, body);
    }
    const auto end = std::min(offset + limit, rest.size());
    const auto begin = rest.begin();
    body[rules.name] =
        std::vector<Json>(begin + static_cast<std::ptrdiff_t>(offset), begin + static_cast<std::ptrdiff_t>(end));
    if (end < rest.size()) body["next"] = end;
    return json_answer(200, body);
  } catch (const std::invalid_argument& error) {
    return error_answer(400, error.what());
  }
}

}  // namespace runai_simulator
