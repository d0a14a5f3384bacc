// A workload that tells how large its JSON values are, having used what a library can trip over: containers, exceptions
// and text of its own.
#include "cloudai/default_evaluation.hpp"
#include "cloudai/module.hpp"

namespace {

std::string thrown_message() {
  try {
    (void)nlohmann::json::parse(R"({"a": [1, {"b": 2}]})").at("a").at(1).at("b").get<std::string>();
  } catch (const nlohmann::json::exception& exception) {
    return exception.what();
  }
  return {};
}

class JsonUser : public cloudai::Workload {
 public:
  cloudai::Plan plan(const cloudai::RunRequest&) const override {
    cloudai::Step step;
    step.command.argv = {"true"};
    cloudai::Plan plan;
    plan.steps.push_back(step);
    return plan;
  }

  cloudai::Outcome evaluate(const cloudai::StageRequest& stage) const override {
    cloudai::Outcome outcome = cloudai::default_evaluation(stage);
    nlohmann::json numbers;
    for (int i = 0; i < 1000; ++i) numbers["list"].push_back({{"number", i}, {"text", std::to_string(i)}});
    outcome.facts["size"] = std::to_string(sizeof(nlohmann::json));
    outcome.facts["elements"] = std::to_string(nlohmann::json::parse(numbers.dump())["list"].size());
    outcome.facts["message"] = thrown_message();
    return outcome;
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::workload<JsonUser>(WORKLOAD_NAME));
