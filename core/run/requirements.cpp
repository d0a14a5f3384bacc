#include "core/run/requirements.hpp"

#include <cstdlib>
#include <set>

#include "core/config/secret_options.hpp"
#include "core/pipeline/documents.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::run {

std::optional<Json> profiler_requirement(const config::Test& test, const Json& facts) {
  if (!pipeline::is_profiled(test) || facts.value("containers", Json("none")) != Json("none")) return std::nullopt;
  return Json{{"id", "nsys"}, {"kind", "program"}, {"name", test.nsys.at("nsys_binary")}};
}

Result<void> check_passed_variables(const config::Configuration& configuration) {
  std::set<std::string> names(configuration.system.pass_env.begin(), configuration.system.pass_env.end());
  const config::Scenario& scenario = configuration.scenario;
  for (const config::Case& test_case : scenario.cases) {
    names.insert(test_case.test.pass_env.begin(), test_case.test.pass_env.end());
  }
  for (const auto* hooks : {&scenario.prologue, &scenario.epilogue}) {
    for (const config::HookTest& hook : *hooks) names.insert(hook.test.pass_env.begin(), hook.test.pass_env.end());
  }
  std::string unset;
  for (const std::string& name : names) {
    if (std::getenv(name.c_str()) == nullptr) unset += (unset.empty() ? "'" : ", '") + name + "'";
  }
  if (unset.empty()) return {};
  return usage_error("'pass_env' hands on " + unset + ", which the environment of cloudai does not have. Export it " +
                     "before cloudai is started, or remove its name.");
}

std::vector<std::string> secret_arguments(const config::Test& test) {
  std::vector<std::string> secrets = config::secret_texts(test.cmd_args, test.secret_options);
  for (const auto& argument : test.extra_cmd_args) {
    if (is_secret_name(argument.name)) secrets.push_back(argument.value);
  }
  return secrets;
}

std::string described(const Json& item) {
  const auto text = [&](const char* key) {
    const auto found = item.find(key);
    return found != item.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  std::string what = text("kind");
  for (char& c : what) c = c == '_' ? ' ' : c;
  for (const char* key : {"name", "url", "path", "id"}) {
    if (const std::string name = text(key); !name.empty()) return what + " '" + name + "'";
  }
  return what;
}

}  // namespace cloudai::run
