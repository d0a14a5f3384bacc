#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/conformance/check.hpp"
#include "core/conformance/samples.hpp"
#include "core/conformance/subject.hpp"

namespace cloudai::conformance {
namespace {

struct BadRequest {
  std::string situation;
  std::string text;
};

// What is sent in the place of `good`, and must come to a status and a message or to a reply, never to a crash.
std::vector<BadRequest> bad_requests(const Json& good) {
  const std::string text = good.dump();
  Json other_major = good;
  other_major["schema"] = "cloudai.unheard_of/99";
  Json unknown_keys = good;
  unknown_keys["unheard_of"] = Json::object({{"a", Json::array({1, 2, 3})}});
  Json wrong_types = good;
  for (auto& [key, value] : wrong_types.items()) {
    if (key != "schema" && key != "provider") value = 3.5;
  }
  Json wrong_provider = good;
  wrong_provider["provider"] = "nobody";
  constexpr std::size_t deep = 100000;
  std::string not_utf8 = text;
  not_utf8.insert(not_utf8.find('"') + 1, "\xff\xfe\xc0");
  return {
      {"with an empty request", ""},
      {"with garbage as request", std::string("\x00\x7f\x45LF{{{]]\xff\n", 12)},
      {"with a request that is cut", text.substr(0, text.size() / 2)},
      {"with an empty object as request", "{}"},
      {"with a list as request", "[]"},
      {"with null as request", "null"},
      {"with a request of an unknown schema", other_major.dump()},
      {"with unknown keys in the request", unknown_keys.dump()},
      {"with numbers where other types belong", wrong_types.dump()},
      {"with an unknown provider", wrong_provider.dump()},
      {"with a request nested 100000 deep", std::string(deep, '[') + std::string(deep, ']')},
      {"with an object nested 100000 deep", R"({"schema":)" + std::string(deep, '[') + std::string(deep, ']') + "}"},
      {"with a request that is not UTF-8", not_utf8}};
}

struct Call {
  std::string_view interface_id;
  const char* function;
  Json good;
};

std::vector<Call> stateless_calls(const module::ModuleFile& file, const std::filesystem::path& directory) {
  std::vector<Call> calls;
  for (const auto& provided : file.provides) {
    if (provided.interface_id == module::workload_interface) {
      const Json plan = {{"schema", "cloudai.plan/1"}, {"steps", Json::array()}};
      calls.push_back({module::workload_interface, "requirements", sample_test(provided)});
      calls.push_back({module::workload_interface, "plan", sample_run(provided, directory)});
      calls.push_back({module::workload_interface, "evaluate", sample_stage(provided, directory, plan)});
    } else if (provided.interface_id == module::reporter_interface) {
      calls.push_back({module::reporter_interface,
                       "write",
                       {{"schema", "cloudai.report_request/1"},
                        {"provider", provided.name},
                        {"kind", "scenario"},
                        {"results", Json::array({Json::object({{"directory", (directory / "nothing").string()}})})},
                        {"options", sample_value(provided.config_schema)},
                        {"directory", directory.string()}}});
    }
  }
  return calls;
}

std::vector<Call> instance_calls(const module::Provided& scheduler, const std::filesystem::path& directory) {
  constexpr auto id = module::scheduler_interface;
  const Json ids = Json::object({{"ids", Json::array({"4711"})}});
  return {{id, "provision", {{"item", {{"id", "a"}, {"kind", "program"}, {"name", "true"}}}, {"action", "check"}}},
          {id,
           "allocate",
           {{"nodes", {{"count", 1}, {"names", Json::array()}, {"exclude", Json::array()}}}, {"taken", Json::array()}}},
          {id, "render", sample_job(scheduler, directory, Json::array())},
          {id, "submit", {{"tag", "k3x9a0b1c2d3e"}, {"directory", directory.string()}, {"submission", Json::object()}}},
          {id, "poll", ids},
          {id, "cancel", ids},
          {id, "collect", Json::object({{"id", "4711"}})},
          {id, "find", {{"tag", "k3x9a0b1c2d3e"}, {"directory", directory.string()}}}};
}

void say(const Answer& answer, Findings& findings) {
  if (answer.fault) findings.fault(*answer.fault);
}

void check_scheduler_documents(Subject& subject, const module::Provided& scheduler, const Context& context,
                               Findings& findings) {
  void* instance = nullptr;
  const Json open = sample_open(scheduler, context.directory, true);
  for (const BadRequest& bad : bad_requests(open)) {
    const Answer answer = subject.open(bad.text, bad.situation, &instance);
    say(answer, findings);
    if (answer.status == CLOUDAI_OK) subject.close(instance);
  }
  const Answer opened = subject.open(open.dump(), "with options made up from the manifest", &instance);
  say(opened, findings);
  if (!opened.is_ok())
    return findings.note("open() refuses options made up from the manifest: the other calls were left out.");
  for (const Call& call : instance_calls(scheduler, context.directory)) {
    for (const BadRequest& bad : bad_requests(call.good)) {
      say(subject.call(call.interface_id, call.function, bad.text, bad.situation, instance), findings);
    }
  }
  subject.close(instance);
}

}  // namespace

void check_documents(const Context& context, Findings& findings) {
  const auto subject = Subject::load(context);
  if (!subject) return findings.fault(subject.error().message);
  for (const Call& call : stateless_calls((*subject)->file(), context.directory)) {
    for (const BadRequest& bad : bad_requests(call.good)) {
      say((*subject)->call(call.interface_id, call.function, bad.text, bad.situation), findings);
    }
  }
  for (const auto& provided : (*subject)->file().provides) {
    if (provided.interface_id == module::scheduler_interface) {
      check_scheduler_documents(**subject, provided, context, findings);
    }
  }
}

}  // namespace cloudai::conformance
