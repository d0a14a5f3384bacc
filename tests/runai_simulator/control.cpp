// The calls by which a test changes the tenant and asks it.
#include "tests/runai_simulator/simulator.hpp"
#include "tests/runai_simulator/text.hpp"
#include "tests/runai_simulator/tokens.hpp"

namespace runai_simulator {
namespace {

constexpr std::string_view prefix = "/__sim/";

Milliseconds end_of(const Workload& workload) {
  auto end = workload.completed_at.value_or(-1);
  for (const auto& time : {workload.delete_requested_at, workload.deleted_at}) {
    if (time && (end < 0 || *time < end)) end = *time;
  }
  return end;
}

Answer done() {
  return json_answer(200, Json::object());
}

}  // namespace

Exchange Simulator::control(const HttpRequest& request) {
  const std::lock_guard lock(mutex_);
  Exchange exchange;
  try {
    pass_time();
    const auto body = request.body.empty() ? Json::object() : Json::parse(request.body);
    exchange.answer = answer_control(request, body);
    pass_time();
  } catch (const std::exception& error) {
    exchange.answer = error_answer(400, error.what());
  }
  return exchange;
}

Answer Simulator::answer_control(const HttpRequest& request, const Json& body) {
  if (request.path.rfind(prefix, 0) != 0) return error_answer(404);
  const auto action = request.path.substr(prefix.size());
  if (action == "faults" || action.rfind("faults/", 0) == 0) return control_faults(request, body);
  if (request.method == "GET") {
    if (action == "requests") return json_answer(200, requests_.entries());
    if (action == "workloads") return control_workloads();
    if (action == "clock") return json_answer(200, {{"now", clock_.now()}});
    if (action == "secrets") return control_secrets();
    return error_answer(404);
  }
  if (action == "reset") {
    reset();
  } else if (action == "seed") {
    if (body.contains("settings")) apply_settings(settings_, body["settings"]);
    apply_state(tenant_, body, clock_.now(), start_.seed);
  } else if (action == "settings") {
    apply_settings(settings_, body);
  } else if (action == "script") {
    tenant_.scripts.push_back(script_from(body));
  } else if (action == "advance") {
    clock_.advance(body.at("ms").get<Milliseconds>());
  } else if (action == "revoke-tokens") {
    revoke_tokens(tenant_);
  } else {
    return change_workload(action, body);
  }
  return done();
}

Answer Simulator::change_workload(const std::string& action, const Json& body) {
  if (action != "phase" && action != "vanish") return error_answer(404, "There is no control call '" + action + "'.");
  const std::string name = body.at("workload");
  auto* workload = find_workload(tenant_, name);
  if (workload == nullptr || workload->deleted_at) return error_answer(404, "There is no workload '" + name + "'.");
  if (action == "vanish") {
    engine_->vanish(*workload, clock_.now());
  } else {
    engine_->set_phase(*workload, body.at("phase"), body.value("message", ""), clock_.now());
  }
  return done();
}

Answer Simulator::control_faults(const HttpRequest& request, const Json& body) {
  if (request.method == "GET") return json_answer(200, faults_->list());
  if (request.method == "POST") return json_answer(200, {{"id", faults_->add(body, clock_.now())}});
  const auto id = request.path.substr(prefix.size() + std::string("faults").size());
  if (id.empty()) {
    faults_->clear();
  } else {
    faults_->remove(std::stoull(id.substr(1)));
  }
  return done();
}

// Every token and secret there ever was, for a test to look for where none may be.
Answer Simulator::control_secrets() const {
  Json secrets = Json::array();
  for (const auto& client : tenant_.clients) secrets.push_back(client.secret);
  for (const auto& [token, about] : tenant_.tokens) secrets.push_back(token);
  for (const auto& token : tenant_.revoked_tokens) secrets.push_back(token);
  return json_answer(200, secrets);
}

Answer Simulator::control_workloads() const {
  Json list = Json::array();
  for (const auto& workload : tenant_.workloads) {
    Json history = Json::array();
    for (const auto& change : workload.history) history.push_back(change.phase);
    list.push_back({{"id", workload.id},
                    {"name", workload.name},
                    {"type", workload.type},
                    {"phase", workload.deleted_at ? "" : workload.phase()},
                    {"fromClient", workload.from_client},
                    {"created", workload.created_at},
                    {"ended", end_of(workload)},
                    {"history", history}});
  }
  return json_answer(200, list);
}

}  // namespace runai_simulator
