#include "core/compare/outcome_check.hpp"

#include <algorithm>
#include <cmath>

#include "core/compare/judgement.hpp"

namespace cloudai::compare {

namespace {

// The member, or nothing where there is none.
const Json* find(const Json& document, const char* key) {
  const auto found = document.find(key);
  return found == document.end() ? nullptr : &*found;
}

bool is_finite_number(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

bool are_labels(const Json& value) {
  return value.is_object() &&
         std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_string(); });
}

bool is_direction(const Json& value) {
  return value.is_string() &&
         std::find(better_names.begin(), better_names.end(), value.get<std::string>()) != better_names.end();
}

std::string flaw_of_metric(const Json& metric) {
  if (!metric.is_object()) return "is no object";
  if (text_of(metric, "name").empty()) return "has no text \"name\"";
  if (const Json* value = find(metric, "value"); value == nullptr || !is_finite_number(*value)) {
    return "has no number \"value\"";
  }
  if (text_of(metric, "unit").empty()) return "has no text \"unit\"";
  if (const Json* better = find(metric, "better"); better != nullptr && !is_direction(*better)) {
    return "has a \"better\" that is neither \"higher\", \"lower\" nor \"none\"";
  }
  if (const Json* labels = find(metric, "labels"); labels != nullptr && !are_labels(*labels)) {
    return "has \"labels\" that are no object of texts";
  }
  const Json* resolution = find(metric, "resolution");
  if (resolution != nullptr && (!is_finite_number(*resolution) || resolution->get<double>() < 0)) {
    return "has a \"resolution\" that is no number from 0 on";
  }
  return {};
}

std::string flaw_of_stage(const Json& stage, const std::string& name, const Run& run) {
  if (!stage.is_object()) return name + " is no object";
  if (text_of(stage, "kind").empty()) return name + " has no text \"kind\"";
  const Json* outcome = find(stage, "outcome");
  if (outcome == nullptr || !outcome->is_object()) return name + " has no object \"outcome\"";
  if (const std::string verdict = text_of(*outcome, "verdict"); run.status == "passed" && verdict != "passed") {
    return "the verdict of " + name + " is '" + verdict + "', although the run passed";
  }
  const Json* metrics = find(*outcome, "metrics");
  if (metrics == nullptr) return {};
  if (!metrics->is_array()) return "the \"metrics\" of " + name + " are no list";
  for (std::size_t i = 0; i < metrics->size(); ++i) {
    const std::string flaw = flaw_of_metric((*metrics)[i]);
    if (!flaw.empty()) return "metric " + std::to_string(i + 1) + " of " + name + " " + flaw;
  }
  return {};
}

}  // namespace

std::string flaw_of_outcome(const Json& document, const Run& run) {
  if (const std::string id = text_of(document, "id"); id != run.id) {
    return "its \"id\" is '" + id + "' in place of '" + run.id + "'";
  }
  const Json* stages = find(document, "stages");
  if (stages == nullptr || !stages->is_array()) return "it has no list \"stages\"";
  for (std::size_t i = 0; i < stages->size(); ++i) {
    std::string flaw = flaw_of_stage((*stages)[i], "stage " + std::to_string(i + 1), run);
    if (!flaw.empty()) return flaw;
  }
  return {};
}

}  // namespace cloudai::compare
