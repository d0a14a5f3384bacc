#include "tests/runai_simulator/workload.hpp"

namespace runai_simulator {
namespace {

Step step_from(const Json& document) {
  Step step;
  step.phase = document.at("phase");
  if (document.contains("ms")) step.duration = document.at("ms").get<Milliseconds>();
  step.message = document.value("message", "");
  step.event = document.value("event", Json());
  return step;
}

}  // namespace

Script script_from(const Json& document) {
  Script script;
  script.name = document.value("name", script.name);
  for (const auto& step : document.value("phases", Json::array())) script.steps.push_back(step_from(step));
  if (document.contains("log")) script.log = document.at("log").get<std::string>();
  script.exit_code = document.value("exitCode", script.exit_code);
  script.keep_pods = document.value("keepPods", script.keep_pods);
  script.extra_events = document.value("extraEvents", script.extra_events);
  return script;
}

}  // namespace runai_simulator
