#include "tests/runai_simulator/settings.hpp"

#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

namespace runai_simulator {
namespace {

using Setter = std::function<void(Settings&, const Json&)>;

template <class Member>
Setter into(Member Settings::*member) {
  return [member](Settings& settings, const Json& value) { settings.*member = value.get<Member>(); };
}

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> all{
      {"release", into(&Settings::release)},
      {"tokenTtlSeconds", into(&Settings::token_ttl_seconds)},
      {"strict", into(&Settings::strict)},
      {"wrongSecretStatus", into(&Settings::wrong_secret_status)},
      {"duplicateStatus", into(&Settings::duplicate_status)},
      {"omitActualPhase", into(&Settings::omit_actual_phase)},
      {"readLagMs", into(&Settings::read_lag_ms)},
      {"lagMs", into(&Settings::lag_ms)},
      {"nullEvents", into(&Settings::null_events)},
      {"execute", into(&Settings::execute)},
      {"independentPods", into(&Settings::independent_pods)},
      {"mpiLogPath", into(&Settings::mpi_log_path)},
      {"logChunk", into(&Settings::log_chunk)},
      {"logBinary", into(&Settings::log_binary)},
      {"logPingEvery", into(&Settings::log_ping_every)},
  };
  return all;
}

std::pair<int, int> version(const std::string& release) {
  const auto dot = release.find('.');
  if (dot == std::string::npos) throw std::invalid_argument("'" + release + "' is no release, such as 2.24.");
  return {std::stoi(release.substr(0, dot)), std::stoi(release.substr(dot + 1))};
}

}  // namespace

void apply_settings(Settings& settings, const Json& changes) {
  for (const auto& [name, value] : changes.items()) {
    const auto setter = setters().find(name);
    if (setter == setters().end()) throw std::invalid_argument("There is no setting '" + name + "'.");
    try {
      setter->second(settings, value);
    } catch (const Json::exception&) {
      throw std::invalid_argument("The setting '" + name + "' cannot be " + value.dump() + ".");
    }
  }
  version(settings.release);
  if (settings.log_chunk == 0) throw std::invalid_argument("The setting 'logChunk' cannot be 0.");
}

bool at_least(const Settings& settings, const std::string& release) {
  return version(settings.release) >= version(release);
}

}  // namespace runai_simulator
