// Fault rules: which requests or connections go wrong, and how. README.md lists the effects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/runai_simulator/clock.hpp"
#include "tests/runai_simulator/http.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {

struct Effect {
  std::string kind;
  Json parameters = Json::object();
};

class Faults {
 public:
  explicit Faults(std::uint64_t seed) : seed_(seed) {}

  // {"match": {method?, path?, nth?, first?, every?, probability?, forMs?}, "effect": {"kind": …, …}}. Throws
  // std::exception if there is no such effect or condition.
  std::uint64_t add(const Json& rule, Milliseconds now);
  void remove(std::uint64_t id);
  void clear() { rules_.clear(); }
  Json list() const;

  // The effect of the first rule that fires. All rules count the request, so that what one does depends on no other.
  std::optional<Effect> of_request(const std::string& method, const std::string& path, Milliseconds now);
  std::optional<Effect> of_connection(Milliseconds now);

 private:
  struct Rule {
    std::uint64_t id = 0;
    Json document;
    Random random;
    Milliseconds added = 0;
    std::uint64_t count = 0;
    std::uint64_t fired = 0;
  };
  static bool fires(Rule& rule, Milliseconds now);
  template <class Matches>
  std::optional<Effect> first_that_fires(Matches matches, Milliseconds now);

  std::uint64_t seed_;
  std::uint64_t last_id_ = 0;
  std::vector<Rule> rules_;
};

// An answer that the API gives instead of handling the request; nothing if the effect lets it handle it.
std::optional<Answer> answer_instead(const Effect& effect, Milliseconds now);

// Spoils the content of an answer, if the effect is one of those.
void spoil(Answer& answer, const Effect& effect);

}  // namespace runai_simulator
