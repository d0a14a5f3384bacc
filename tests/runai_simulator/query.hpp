// The parts of a list request: filterBy, search, sortBy, sortOrder, offset and limit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/runai_simulator/http.hpp"

namespace runai_simulator {

// What a list allows.
struct ListRules {
  std::string name;                 // of the array in the answer
  std::vector<std::string> fields;  // to filter and sort by
  bool descending = false;          // unless the request tells
  bool paged = true;                // else only the filter counts
};

// 200 with {<name>: […], next?}, or 400.
Answer list_answer(const std::vector<Json>& items, const std::string& query, const ListRules& rules);

}  // namespace runai_simulator
