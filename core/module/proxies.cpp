#include "core/module/proxies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cloudai::module {
namespace {

enum class Shape { text, list, texts };

struct Field {
  const char* key;
  Shape shape;
};

// What a reply must have before the core reads it: a document of another kind shall not fail somewhere deep in the
// core.
struct Expected {
  std::string_view schema;  // empty: replies of this call carry none
  std::vector<Field> fields;
};

bool has_shape(const Json& value, Shape shape) {
  if (shape == Shape::text) return value.is_string();
  if (!value.is_array()) return false;
  return shape == Shape::list ||
         std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_string(); });
}

const char* name_of(Shape shape) {
  switch (shape) {
    case Shape::text:
      return "a text";
    case Shape::list:
      return "a list";
    case Shape::texts:
      return "a list of texts";
  }
  return "";
}

// `callee` is "workload 'NcclTest'".
Result<Json> checked(Result<Json> reply, std::string_view callee, std::string_view function, const Expected& expected) {
  if (!reply) return reply;
  if (!expected.schema.empty()) {
    const auto schema = reply->find("schema");
    const std::string found = schema != reply->end() && schema->is_string() ? schema->get<std::string>() : "none";
    if (found != expected.schema) {
      return trouble(fmt::format("{} answered {}() with a document of schema '{}', where '{}' was expected.", callee,
                                 function, found, expected.schema));
    }
  }
  for (const auto& field : expected.fields) {
    const auto value = reply->find(field.key);
    if (value == reply->end() || !has_shape(*value, field.shape)) {
      return trouble(fmt::format("{} answered {}() with a document whose '{}' is not {}.", callee, function, field.key,
                                 name_of(field.shape)));
    }
  }
  return reply;
}

Result<Json> call_stateless(Transport& transport, std::string_view kind, const std::string& name,
                            std::string_view function, Json request, const Expected& expected) {
  request["provider"] = name;
  return checked(transport.call(function, request), fmt::format("{} '{}'", kind, name), function, expected);
}

Result<Json> call_scheduler(Transport& transport, const std::string& name, std::string_view function,
                            const Json& request, const Expected& expected) {
  return checked(transport.call(function, request), fmt::format("scheduler '{}'", name), function, expected);
}

// The same for what the scheduler may put off: then it gives the reason to wait alone.
Result<Json> call_that_may_wait(Transport& transport, const std::string& name, std::string_view function,
                                const Json& request, std::vector<Field> fields) {
  auto reply = transport.call(function, request);
  if (reply && reply->contains("wait")) fields = {{"wait", Shape::text}};
  return checked(std::move(reply), fmt::format("scheduler '{}'", name), function, {"", std::move(fields)});
}

}  // namespace

Workload::Workload(std::shared_ptr<Transport> transport, std::string name)
    : transport_(std::move(transport)), name_(std::move(name)) {}

Result<Json> Workload::requirements(Json test) const {
  return call_stateless(*transport_, "workload", name_, "requirements", std::move(test),
                        {"cloudai.requirements/1", {{"items", Shape::list}}});
}

Result<Json> Workload::plan(Json run) const {
  return call_stateless(*transport_, "workload", name_, "plan", std::move(run),
                        {"cloudai.plan/1", {{"steps", Shape::list}}});
}

Result<Json> Workload::evaluate(Json stage) const {
  return call_stateless(*transport_, "workload", name_, "evaluate", std::move(stage),
                        {"cloudai.outcome/1", {{"verdict", Shape::text}}});
}

Scheduler::Scheduler(std::shared_ptr<Transport> transport, std::string name, Json facts)
    : transport_(std::move(transport)), name_(std::move(name)), facts_(std::move(facts)) {}

// The transport closes what its "open" made.
Scheduler::~Scheduler() = default;

Result<std::shared_ptr<Scheduler>> Scheduler::open(std::shared_ptr<Transport> transport, std::string name,
                                                   Json request) {
  auto facts = call_stateless(*transport, "scheduler", name, "open", std::move(request), {"cloudai.facts/1", {}});
  if (!facts) return tl::make_unexpected(std::move(facts.error()));
  return std::make_shared<Scheduler>(std::move(transport), std::move(name), std::move(*facts));
}

Result<Json> Scheduler::provision(const Json& request) {
  return call_scheduler(*transport_, name_, "provision", request, {});
}

Result<Json> Scheduler::allocate(const Json& request) {
  return call_that_may_wait(*transport_, name_, "allocate", request, {{"nodes", Shape::texts}});
}

Result<Json> Scheduler::render(const Json& job) {
  return call_scheduler(*transport_, name_, "render", job, {"cloudai.rendering/1", {{"files", Shape::list}}});
}

Result<Json> Scheduler::submit(const Json& request) {
  return call_that_may_wait(*transport_, name_, "submit", request, {{"id", Shape::text}, {"watch", Shape::texts}});
}

Result<Json> Scheduler::poll(const std::vector<std::string>& ids) {
  return call_scheduler(*transport_, name_, "poll", {{"ids", ids}}, {"cloudai.states/1", {{"jobs", Shape::list}}});
}

Result<Json> Scheduler::cancel(const std::vector<std::string>& ids) {
  return call_scheduler(*transport_, name_, "cancel", {{"ids", ids}}, {"", {{"not_cancelled", Shape::list}}});
}

Result<Json> Scheduler::end_main(const std::vector<std::string>& ids) {
  return call_scheduler(*transport_, name_, "cancel", {{"ids", ids}, {"stage", "main"}},
                        {"", {{"not_cancelled", Shape::list}}});
}

Result<Json> Scheduler::collect(const std::string& id) {
  return call_scheduler(*transport_, name_, "collect", {{"id", id}},
                        {"cloudai.job_result/1", {{"state", Shape::text}}});
}

Result<Json> Scheduler::find(const Json& request) {
  return call_scheduler(*transport_, name_, "find", request, {});
}

Reporter::Reporter(std::shared_ptr<Transport> transport, std::string name)
    : transport_(std::move(transport)), name_(std::move(name)) {}

Result<Json> Reporter::write(Json request) const {
  return call_stateless(*transport_, "reporter", name_, "write", std::move(request), {"", {{"files", Shape::texts}}});
}

}  // namespace cloudai::module
