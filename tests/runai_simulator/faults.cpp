#include "tests/runai_simulator/faults.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace runai_simulator {
namespace {

const std::set<std::string> connection_effects{"reset-on-connect", "tls-expired", "tls-wrong-host", "tls-self-signed",
                                               "tls-stall"};
const std::set<std::string> request_effects{
    "status",       "token-expired", "token-revoked", "redirect",    "delay",
    "slow",         "never",         "malformed",     "truncate",    "content-type",
    "empty",        "extra-fields",  "null",          "huge",        "numbers-as-strings",
    "reset-before", "reset-after",   "close",         "http10",      "chunked",
    "ws-close",     "ws-drop",       "ws-oversized",  "ws-fragment", "ws-idle"};
const std::set<std::string> conditions{"method", "path", "nth", "first", "every", "probability", "forMs"};

bool has_connection_effect(const Json& rule) {
  return connection_effects.count(rule["effect"]["kind"].get<std::string>()) != 0;
}

void check_rule(const Json& rule) {
  const std::string kind = rule.at("effect").at("kind");
  if (connection_effects.count(kind) + request_effects.count(kind) == 0) {
    throw std::invalid_argument("There is no effect '" + kind + "'.");
  }
  const auto match = rule.value("match", Json::object());
  for (const auto& [name, value] : match.items()) {
    if (conditions.count(name) == 0) throw std::invalid_argument("There is no condition '" + name + "'.");
  }
}

// The document with `change` applied to every member that is neither an object nor a list.
template <class Change>
Json with_scalars(Json node, Change change) {
  for (auto& child : node) {
    if (child.is_structured()) {
      child = with_scalars(child, change);
    } else {
      change(child);
    }
  }
  return node;
}

Json with_extra_fields(Json node) {
  for (auto& child : node) {
    if (child.is_structured()) child = with_extra_fields(child);
  }
  if (node.is_object()) node["fieldOfALaterRelease"] = {{"nested", Json::array({1, nullptr})}};
  return node;
}

std::string retry_after(const Json& parameters, Milliseconds now) {
  const auto& value = parameters["retryAfter"];
  if (value.is_number()) return value.dump();
  auto text = value.get<std::string>();
  // "date:30" is the date in 30 seconds.
  if (text.rfind("date:", 0) == 0) return http_date(now + 1000 * std::stoll(text.substr(5)));
  return text;
}

Answer status_answer(const Json& parameters, Milliseconds now) {
  const int status = parameters.value("status", 500);
  auto answer = error_answer(status, parameters.value("message", ""));
  if (parameters.value("html", false)) {
    answer.body =
        "<html><head><title>" + std::to_string(status) + "</title></head><body><h1>nginx</h1></body></html>\n";
    answer.content_type = "text/html";
  }
  if (parameters.contains("body")) answer.body = parameters["body"].get<std::string>();
  if (parameters.contains("retryAfter")) answer.headers.emplace_back("Retry-After", retry_after(parameters, now));
  return answer;
}

}  // namespace

std::uint64_t Faults::add(const Json& document, Milliseconds now) {
  check_rule(document);
  Rule rule;
  rule.id = ++last_id_;
  rule.document = document;
  if (!rule.document.contains("match")) rule.document["match"] = Json::object();
  rule.random = Random(seed_ + rule.id);
  rule.added = now;
  rules_.push_back(rule);
  return rule.id;
}

void Faults::remove(std::uint64_t id) {
  rules_.erase(std::remove_if(rules_.begin(), rules_.end(), [&](const Rule& rule) { return rule.id == id; }),
               rules_.end());
}

Json Faults::list() const {
  Json result = Json::array();
  for (const auto& rule : rules_) {
    auto item = rule.document;
    item["id"] = rule.id;
    item["matched"] = rule.count;
    item["fired"] = rule.fired;
    result.push_back(item);
  }
  return result;
}

bool Faults::fires(Rule& rule, Milliseconds now) {
  const auto& match = rule.document["match"];
  if (match.contains("forMs") && now >= rule.added + match["forMs"].get<Milliseconds>()) return false;
  const auto count = ++rule.count;
  // Drawn for every request, so that the sequence depends on their number alone.
  const auto drawn = static_cast<double>(random_below(rule.random, 1'000'000)) / 1e6;
  if (match.contains("nth")) {
    const auto& nth = match["nth"];
    const bool hit = nth.is_array() ? std::find(nth.begin(), nth.end(), Json(count)) != nth.end() : nth == Json(count);
    if (!hit) return false;
  }
  if (match.contains("first") && count > match["first"].get<std::uint64_t>()) return false;
  if (match.contains("every") && count % match["every"].get<std::uint64_t>() != 0) return false;
  return !match.contains("probability") || drawn < match["probability"].get<double>();
}

template <class Matches>
std::optional<Effect> Faults::first_that_fires(Matches matches, Milliseconds now) {
  std::optional<Effect> effect;
  for (auto& rule : rules_) {
    if (!matches(rule.document) || !fires(rule, now) || effect) continue;
    ++rule.fired;
    effect = Effect{rule.document["effect"]["kind"], rule.document["effect"]};
  }
  return effect;
}

std::optional<Effect> Faults::of_request(const std::string& method, const std::string& path, Milliseconds now) {
  return first_that_fires(
      [&](const Json& rule) {
        const auto& match = rule["match"];
        return !has_connection_effect(rule) && matches_glob(match.value("method", "*"), method) &&
               matches_glob(match.value("path", "*"), path);
      },
      now);
}

std::optional<Effect> Faults::of_connection(Milliseconds now) {
  return first_that_fires([](const Json& rule) { return has_connection_effect(rule); }, now);
}

std::optional<Answer> answer_instead(const Effect& effect, Milliseconds now) {
  if (effect.kind == "status") return status_answer(effect.parameters, now);
  if (effect.kind == "token-expired") return error_answer(401, "Token is expired");
  if (effect.kind == "token-revoked") return error_answer(401);
  if (effect.kind == "redirect") {
    auto answer = error_answer(effect.parameters.value("status", 301), "Moved");
    answer.headers.emplace_back("Location", effect.parameters.value("location", "https://elsewhere.invalid/api/v1"));
    return answer;
  }
  return std::nullopt;
}

void spoil(Answer& answer, const Effect& effect) {
  const auto& kind = effect.kind;
  const auto change_body = [&](const auto& change) {
    auto body = Json::parse(answer.body, nullptr, false);
    if (body.is_structured()) answer.body = change(body).dump();
  };
  if (kind == "malformed") {
    answer.body = answer.body.substr(0, answer.body.size() / 2) + "}]";
  } else if (kind == "empty") {
    answer.body.clear();
  } else if (kind == "content-type") {
    answer.content_type = effect.parameters.value("value", "text/html");
  } else if (kind == "huge") {
    answer.body.insert(0, effect.parameters.value("bytes", std::size_t{50'000'000}), ' ');
  } else if (kind == "extra-fields") {
    change_body([](const Json& body) { return with_extra_fields(body); });
  } else if (kind == "null") {
    change_body([](Json& body) { return with_scalars(body, [](Json& value) { value = nullptr; }); });
  } else if (kind == "numbers-as-strings") {
    change_body([](Json& body) {
      return with_scalars(body, [](Json& value) {
        if (value.is_number()) value = value.dump();
      });
    });
  }
}

}  // namespace runai_simulator
