#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>

#include "core/conformance/check.hpp"
#include "core/conformance/document_check.hpp"
#include "core/conformance/samples.hpp"
#include "core/conformance/subject.hpp"
#include "core/conformance/tree_state.hpp"

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

struct Output {
  std::string situation;
  bool is_there;
  std::string text;
};

const std::vector<Output>& outputs() {
  static const std::vector<Output> all = {
      {"where there is no output", false, ""},
      {"where the output is empty", true, ""},
      {"where the output is garbage", true,
       std::string("\x00\xff\xfe{{[ 1e999 nan -- \x1b[31m\n\n# 8 8 8\n", 32) + "no such table\n"},
      {"where the output is one long line", true, std::string(1U << 20U, '7')}};
  return all;
}

class WorkloadCheck {
 public:
  WorkloadCheck(Subject& subject, const module::Provided& workload, const Context& context, Findings& findings)
      : subject_(subject),
        workload_(workload),
        context_(context),
        findings_(findings),
        directory_(context.directory / "stage") {}

  void run() {
    std::error_code ignored;
    fs::create_directories(directory_, ignored);
    check_requirements();
    check_plan();
    for (const Output& output : outputs()) check_evaluate(output);
  }

 private:
  Answer call(const char* function, const Json& request, const std::string& situation) {
    const TreeState before = tree_state(context_.directory);
    Answer answer = subject_.call(module::workload_interface, function, request.dump(), situation);
    if (answer.fault) findings_.fault(*answer.fault);
    const std::string touched = first_difference(before, tree_state(context_.directory));
    if (!touched.empty())
      findings_.fault(
          fmt::format("{}() writes '{}'. A workload writes nothing; a plan has 'files'.", function, touched));
    return answer;
  }

  void check_form(const Json& document, const char* schema, const std::string& owner) {
    for (auto& fault : faults_of(document, schema, owner)) findings_.fault(owner + ": " + fault);
  }

  void check_requirements() {
    const Answer answer = call("requirements", sample_test(workload_), "");
    if (answer.is_ok()) check_form(answer.document, "requirements", "the reply of requirements()");
  }

  // Twice the same, also from another directory, with another environment and after another request.
  void check_plan() {
    const Json request = sample_run(workload_, directory_);
    const Answer first = call("plan", request, "with options made up from the manifest");
    if (!first.is_ok()) {
      if (!first.fault) {
        findings_.note(fmt::format("plan() refuses options made up from the manifest ('{}'): no plan was looked at",
                                   text_of(first.document, "message")));
      }
      return;
    }
    plan_ = first.document;
    check_form(plan_, "plan", "the plan");
    Json other = sample_run(workload_, directory_);
    other["case"] = "Tests.2";
    other["nodes"] = {{"count", 2}, {"names", {"node003", "node004"}}};
    call("plan", other, "for two nodes");
    std::error_code failed;
    const fs::path here = fs::current_path(failed);
    fs::current_path("/", failed);
    ::setenv("CLOUDAI_UNHEARD_OF", "1", 1);
    const Answer second = call("plan", request, "for the second time");
    ::unsetenv("CLOUDAI_UNHEARD_OF");
    fs::current_path(here, failed);
    if (second.text == first.text) return;
    findings_.fault(
        "plan() answers the same request differently the second time. It has to depend on the request alone.");
  }

  void check_evaluate(const Output& output) {
    std::error_code ignored;
    for (const char* name : {"stdout.txt", "stderr.txt"}) {
      fs::remove(directory_ / name, ignored);
      if (output.is_there) std::ofstream(directory_ / name, std::ios::binary) << output.text;
    }
    const Json request = sample_stage(workload_, directory_, plan_);
    const Answer answer = call("evaluate", request, output.situation);
    if (answer.fault) return;
    if (!answer.is_ok()) {
      return findings_.fault(fmt::format("evaluate() {} is an error of the call ('{}'); expected an outcome.",
                                         output.situation, text_of(answer.document, "message")));
    }
    check_form(answer.document, "outcome", "the outcome " + output.situation);
    const std::string verdict = text_of(answer.document, "verdict");
    if (verdict != "passed" && !answer.document.contains("reason")) {
      findings_.fault(fmt::format("evaluate() {} says '{}' without a reason.", output.situation, verdict));
    }
    if (verdict == "passed" && measures()) {
      findings_.fault(
          fmt::format("evaluate() {} says 'passed', though the workload has metrics and there is no measurement.",
                      output.situation));
    }
    check_metrics(answer.document);
  }

  bool measures() const { return !workload_.manifest_entry.value("metrics", Json::array()).empty(); }

  void check_metrics(const Json& outcome) {
    std::set<std::string> declared;
    for (const Json& metric : workload_.manifest_entry.value("metrics", Json::array())) {
      declared.insert(text_of(metric, "name"));
    }
    for (const Json& metric : outcome.value("metrics", Json::array())) {
      const std::string name = text_of(metric, "name");
      if (!declared.contains(name)) findings_.fault(fmt::format("The metric '{}' is not in the manifest.", name));
    }
  }

  Subject& subject_;
  const module::Provided& workload_;
  const Context& context_;
  Findings& findings_;
  fs::path directory_;
  Json plan_ = {{"schema", "cloudai.plan/1"}, {"steps", Json::array()}};
};

}  // namespace

void check_workload(const Context& context, Findings& findings) {
  const auto subject = Subject::load(context);
  if (!subject) return findings.fault(subject.error().message);
  bool is_there = false;
  for (const auto& provided : (*subject)->file().provides) {
    if (provided.interface_id != module::workload_interface) continue;
    is_there = true;
    WorkloadCheck(**subject, provided, context, findings).run();
  }
  if (!is_there) findings.skip("It provides no workload.");
}

}  // namespace cloudai::conformance
