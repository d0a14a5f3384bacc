#include "modules/reporters/junit/junit_report.hpp"

#include <array>
#include <cstdio>
#include <pugixml.hpp>

#include "modules/reporters/results/evidence.hpp"
#include "modules/reporters/results/metric_text.hpp"
#include "modules/reporters/results/output_file.hpp"
#include "modules/reporters/results/paths.hpp"
#include "modules/reporters/results/printable.hpp"
#include "modules/reporters/results/status.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::junit {

namespace fs = std::filesystem;
using pugi::xml_node;
using results::Attempt;
using results::RunSummary;
using results::StageSummary;

namespace {

void set(xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name) = results::printable_line(value).c_str();
}

void set_text(xml_node node, const std::string& text) {
  node.append_child(pugi::node_pcdata).set_value(results::printable(text).c_str());
}

// With as many decimals as Surefire's schema allows.
std::string seconds_text(const std::optional<double>& seconds) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f", seconds.value_or(0));
  return text.data();
}

// What a status is to JUnit, and what stands before the message where JUnit has no word for it.
struct Verdict {
  std::string element;  // empty: passed
  std::string prefix;
};

Verdict verdict_of(const std::string& status) {
  if (status == "passed") return {};
  if (status == "failed") return {"failure", ""};
  if (status == "inconclusive") return {"failure", "inconclusive: "};
  if (status == "skipped") return {"skipped", ""};
  if (status == "cancelled") return {"error", "cancelled: "};
  return {"error", ""};
}

bool is_failure(const std::string& status) {
  return verdict_of(status).element == "failure";
}

// "failed, 76.2 s, exit status 1: the reason"
std::string stage_text(const StageSummary& stage) {
  std::string text = stage.kind + " " + stage.name + ": " + stage.status;
  if (stage.seconds) text += ", " + results::short_number(*stage.seconds) + " s";
  if (stage.exit_status) text += ", exit status " + std::to_string(*stage.exit_status);
  if (stage.signal) text += ", signal " + std::to_string(*stage.signal);
  if (stage.reason) text += ": " + stage.reason->text;
  text += "\n";
  if (!stage.standard_output.empty()) text += "  " + stage.standard_output + "\n";
  if (!stage.standard_error.empty()) text += "  " + stage.standard_error + "\n";
  return text;
}

std::string output_text(const RunSummary& run) {
  std::string text = "status: " + run.status + "\ntest: " + run.test + " (" + run.workload + ")\n";
  if (!run.job.empty()) text += "job: " + run.job + "\n";
  if (!run.nodes.empty()) text += "nodes:";
  for (const std::string& node : run.nodes) text += " " + node;
  if (!run.nodes.empty()) text += "\n";
  for (const StageSummary& stage : run.stages) text += stage_text(stage);
  for (const results::HeadlineMetric& each : run.headline) {
    text += each.stage + ": " + results::name_with_labels(each.metric) + " = " +
            results::value_text(each.metric.value, each.metric.unit) + "\n";
  }
  for (std::size_t i = 0; i < run.attempts.size(); ++i) {
    const Attempt& attempt = run.attempts[i];
    text += "attempt " + std::to_string(i + 1) + " of " + std::to_string(run.attempts.size()) + ": " + attempt.status;
    if (!attempt.job.empty()) text += ", job " + attempt.job;
    if (attempt.seconds) text += ", " + results::short_number(*attempt.seconds) + " s";
    text += ", " + attempt.directory + "\n";
  }
  return text;
}

std::string reason_text(const Reason& reason) {
  std::string text = reason.text;
  if (!reason.hint.empty()) text += "\n" + reason.hint;
  for (const Evidence& evidence : reason.evidence) text += "\n" + results::place_of(evidence);
  return text;
}

void add_verdict(xml_node test_case, const RunSummary& run) {
  const Verdict verdict = verdict_of(run.status);
  if (verdict.element.empty()) return;
  const Reason reason = run.reason.value_or(Reason{run.status, "no reason is known", {}, {}});
  xml_node element = test_case.append_child(verdict.element.c_str());
  set(element, "message", verdict.prefix + reason.text);
  if (run.status != "skipped") set(element, "type", reason.code);
  set_text(element, reason_text(reason));
}

void add_earlier_attempts(xml_node test_case, const RunSummary& run) {
  const std::string kind = run.status == "passed" ? "flaky" : "rerun";
  for (std::size_t i = 0; i + 1 < run.attempts.size(); ++i) {
    const Attempt& attempt = run.attempts[i];
    if (attempt.status == "passed") continue;
    xml_node element = test_case.append_child((kind + (is_failure(attempt.status) ? "Failure" : "Error")).c_str());
    set(element, "message", "attempt " + std::to_string(i + 1) + ": " + attempt.status);
    set(element, "type", attempt.status);
    set_text(element.append_child("stackTrace"), attempt.directory);
  }
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(const std::string& status) {
    ++tests;
    if (verdict_of(status).element.empty()) return;
    ++(status == "skipped" ? skipped : is_failure(status) ? failures : errors);
  }

  void write(xml_node node) const {
    node.append_attribute("tests") = tests;
    node.append_attribute("failures") = failures;
    node.append_attribute("errors") = errors;
    node.append_attribute("skipped") = skipped;
  }
};

// Its class is the scenario; set when that is known, at the end of the document.
void add_run(xml_node suite, const RunSummary& run) {
  xml_node test_case = suite.append_child("testcase");
  set(test_case, "name", run.id);
  set(test_case, "time", seconds_text(run.seconds));
  add_verdict(test_case, run);
  add_earlier_attempts(test_case, run);
  set_text(test_case.append_child("system-out"), output_text(run));
}

// What no run shows must not make a green page.
void add_caveat(xml_node suite, const std::string& caveat, Counts& counts) {
  xml_node test_case = suite.append_child("testcase");
  set(test_case, "name", "summary");
  set(test_case, "time", seconds_text(0));
  xml_node element = test_case.append_child("error");
  set(element, "message", caveat);
  set(element, "type", "damaged_summary");
  counts.add("error");
}

void add_property(xml_node properties, const char* name, const std::string& value) {
  xml_node property = properties.append_child("property");
  set(property, "name", name);
  set(property, "value", value);
}

void complete(xml_node suites, xml_node suite, const Counts& counts, const results::Header& header) {
  for (xml_node node : {suites, suite}) {
    set(node, "name", header.scenario);
    counts.write(node);
    set(node, "time", seconds_text(header.seconds));
  }
  // Without the time zone, which the schema has no place for: all times are UTC.
  if (header.started.size() >= 19) set(suite, "timestamp", header.started.substr(0, 19));
  if (!header.host.empty()) set(suite, "hostname", header.host);
  for (xml_node test_case : suite.children("testcase")) set(test_case, "classname", header.scenario);
  xml_node properties = suite.prepend_child("properties");
  add_property(properties, "status", header.status);
  add_property(properties, "system", header.system);
  add_property(properties, "scheduler", header.scheduler);
  add_property(properties, "cloudai.version", header.cloudai_version);
  if (!header.reevaluated.empty()) add_property(properties, "reevaluated", header.reevaluated);
}

// An exception must not pass through the library.
class Writer : public pugi::xml_writer {
 public:
  explicit Writer(results::OutputFile& file) : file_(file) {}

  void write(const void* data, std::size_t size) override {
    if (failure_) return;
    try {
      file_.write({static_cast<const char*>(data), size});
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  void check() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  results::OutputFile& file_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<std::string> write_report(const fs::path& results, const fs::path& directory) {
  pugi::xml_document document;
  xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  xml_node suites = document.append_child("testsuites");
  xml_node suite = suites.append_child("testsuite");
  Counts counts;
  results::StatusCounts statuses;
  const results::Header header = results::read_summary(results, [&](const RunSummary& run, std::size_t) {
    counts.add(run.status);
    statuses.add(run.status);
    add_run(suite, run);
  });
  if (const results::ShownStatus shown = statuses.shown(header.status); !shown.caveat.empty()) {
    add_caveat(suite, shown.caveat, counts);
  } else if (statuses.empty()) {
    add_caveat(suite, "No test ran: nothing was checked.", counts);
  }
  complete(suites, suite, counts, header);
  results::OutputFile file(directory);
  Writer writer(file);
  document.save(writer, "  ", pugi::format_indent, pugi::encoding_utf8);
  writer.check();
  const std::string name = results::file_name(header.scenario, 240) + "-junit.xml";
  file.commit(name);
  return {name};
}

}  // namespace cloudai::junit
