#include "tests/runai_simulator/scripted_log.hpp"

#include <algorithm>

#include "tests/runai_simulator/nccl_log.hpp"
#include "tests/runai_simulator/phase_engine.hpp"

namespace runai_simulator {
namespace {

int ranks_of(const Workload& workload) {
  const bool launcher = workload.type == "Distributed" && workload.pods.front().name == workload.name + "-launcher";
  if (!launcher) return workload.type == "Distributed" ? 1 : std::max(1, gpus_of_pod(workload.spec));
  const auto slots = workload.spec.value("slotsPerWorker", Json());
  return workers_of(workload) * (slots.is_number_integer() ? slots.get<int>() : 1);
}

// Of its first run; nothing if that has no end.
std::optional<Milliseconds> running_time(const Workload& workload) {
  for (const auto& step : workload.script.steps) {
    if (step.phase == "Running") return step.duration;
  }
  return std::nullopt;
}

// Up to the end of the line with this number, counted from 1.
std::string first_lines(const std::string& text, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < count && end != std::string::npos; ++i) {
    end = text.find('\n', end);
    if (end != std::string::npos) ++end;
  }
  return text.substr(0, end);
}

}  // namespace

std::string scripted_log(const Workload& workload, Milliseconds now) {
  if (!workload.running_since) return "";
  const auto text = workload.script.log.value_or(nccl_log(ranks_of(workload)));
  const auto time = running_time(workload);
  if (workload.finished() || !time || *time <= 0) return text;
  const bool runs = workload.phase() == "Running" || workload.phase() == "Degraded" || workload.phase() == "Updating";
  const auto passed =
      std::clamp<Milliseconds>((runs ? now : workload.history.back().at) - *workload.running_since, 0, *time);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return first_lines(text, lines * static_cast<std::size_t>(passed) / static_cast<std::size_t>(*time));
}

std::string last_lines(const std::string& text, std::size_t count) {
  std::size_t begin = text.size() - (!text.empty() && text.back() == '\n' ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto end = begin == 0 ? std::string::npos : text.rfind('\n', begin - 1);
    if (end == std::string::npos) return text;
    begin = end;
  }
  return text.substr(std::min(begin + 1, text.size()));
}

}  // namespace runai_simulator
