#include "core/report/recorded_reports.hpp"

#include <memory>
#include <string>

#include "core/config/reports.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::report {

namespace {

Json without_secrets(const Json& options) {
  if (!options.is_structured()) return options;
  Json result = options;
  for (const auto& [key, value] : result.items()) {
    value = result.is_object() && is_secret_name(key) ? Json(redacted) : without_secrets(value);
  }
  return result;
}

bool holds_redacted(const Json& options) {
  if (!options.is_structured()) return options == Json(redacted);
  return std::any_of(options.begin(), options.end(), [](const Json& value) { return holds_redacted(value); });
}

// The first thing wrong with it; empty if it can be used.
std::string fault_of(const Json& entry, const config::Diagnostics& diagnostics) {
  if (holds_redacted(entry)) {
    return "an option of it is a secret, which is not kept with results. Give the system file that holds it with "
           "--system-config.";
  }
  return diagnostics.has_errors() ? to_string(diagnostics.all().front()) : std::string();
}

}  // namespace

Json record_of(const std::vector<config::Report>& reports) {
  Json record = Json::object();
  for (const config::Report& report : reports) {
    Json entry = {{"enable", report.enable}};
    entry.update(without_secrets(report.options));
    record[report.name] = std::move(entry);
  }
  return record;
}

RecordedReports recorded_reports(const Json& record, const std::filesystem::path& inputs,
                                 const module::Catalogue& modules) {
  RecordedReports result;
  const config::Position place{std::make_shared<const std::string>(inputs.string()), 0, 0};
  for (const auto& [name, entry] : record.items()) {
    if (entry.is_object() && entry.value("enable", Json(true)) == false) {
      result.reports.push_back({name, false, Json::object()});
      continue;
    }
    config::Diagnostics diagnostics;
    const Json table = {{name, entry.is_object() ? entry : Json::object()}};
    const auto reports = config::read_reports(config::to_node(table, place), modules, diagnostics);
    if (const std::string fault = fault_of(entry, diagnostics); !fault.empty()) {
      result.failed.push_back({name, fault});
    } else {
      result.reports.insert(result.reports.end(), reports.begin(), reports.end());
    }
  }
  return result;
}

}  // namespace cloudai::report
