#include "tests/runai_simulator/simulator.hpp"

#include "tests/runai_simulator/api.hpp"
#include "tests/runai_simulator/scripted_log.hpp"
#include "tests/runai_simulator/tokens.hpp"

namespace runai_simulator {

Simulator::Simulator(const Start& start)
    : start_(start), clock_(start.time_scale, start.time), executor_(start.directory, start.path) {
  reset();
}

void Simulator::reset() {
  for (const auto& workload : tenant_.workloads) executor_.stop(workload.id);
  settings_ = Settings();
  tenant_ = default_tenant();
  random_ = Random(start_.seed);
  faults_ = std::make_unique<Faults>(start_.seed);
  requests_ = RequestLog();
  engine_ = std::make_unique<PhaseEngine>(tenant_, settings_, random_, &executor_);
  if (start_.state.contains("settings")) apply_settings(settings_, start_.state["settings"]);
  apply_state(tenant_, start_.state, clock_.now(), start_.seed);
}

void Simulator::pass_time() {
  engine_->advance_to(clock_.now());
}

Exchange Simulator::receive(const HttpRequest& request) {
  const std::lock_guard lock(mutex_);
  pass_time();
  const auto now = clock_.now();
  const auto index = requests_.add(request, !bearer_of(request).empty(), now);
  Exchange exchange{{}, faults_->of_request(request.method, request.path, now), http_date(now)};
  const auto kind = exchange.effect ? exchange.effect->kind : "";
  if (kind == "reset-before" || kind == "never") return exchange;
  if (kind == "token-revoked") revoke_tokens(tenant_);
  if (exchange.effect) exchange.answer = answer_instead(*exchange.effect, now);
  if (!exchange.answer) {
    Api api{
        tenant_,    settings_,
        *engine_,   random_,
        authority_, [this](const Workload& workload, const std::string& query) { return log_text(workload, query); }};
    exchange.answer = answer_call(api, request, now);
    if (exchange.effect) spoil(*exchange.answer, *exchange.effect);
  }
  const bool upgrade = !exchange.answer->log_of_workload.empty();
  if (kind != "reset-after") requests_.set_status(index, upgrade ? 101 : exchange.answer->status);
  return exchange;
}

std::string Simulator::log_text(const Workload& workload, const std::string& query) const {
  const auto fields = decode_form(query);
  const auto pod = fields.find("pod");
  const auto name = pod == fields.end() ? "" : pod->second;
  auto text = settings_.execute && !workload.script.log ? executor_.log(workload.id, name)
                                                        : scripted_log(workload, clock_.now());
  const auto tail = fields.find("tail");
  return tail == fields.end() ? text : last_lines(text, std::stoul("0" + tail->second));
}

LogState Simulator::log(const std::string& workload_id, const std::string& query) {
  const std::lock_guard lock(mutex_);
  pass_time();
  const auto* workload = find_workload(tenant_, workload_id);
  if (workload == nullptr) return {"", true};
  const bool over = workload->deleted_at || workload->finished() || workload->phase() == "Stopped";
  return {log_text(*workload, query), over};
}

LogRules Simulator::log_rules() {
  const std::lock_guard lock(mutex_);
  return {settings_.log_chunk, settings_.log_binary, settings_.log_ping_every};
}

std::uint64_t Simulator::random() {
  const std::lock_guard lock(mutex_);
  return random_();
}

std::string Simulator::connection_effect() {
  const std::lock_guard lock(mutex_);
  const auto effect = faults_->of_connection(clock_.now());
  return effect ? effect->kind : "";
}

void Simulator::tick() {
  const std::lock_guard lock(mutex_);
  pass_time();
  for (const auto& ended : executor_.poll()) engine_->command_ended(ended.workload_id, ended.exit_status, clock_.now());
}

void Simulator::kill_commands() {
  const std::lock_guard lock(mutex_);
  executor_.kill_all();
}

}  // namespace runai_simulator
