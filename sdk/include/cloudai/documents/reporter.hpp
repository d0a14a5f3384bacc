// The request to a reporter and its reply.
#pragma once

#include <string>
#include <vector>

#include "cloudai/documents/value.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

struct ResultsDirectory {
  std::string directory;  // holds summary.json, and the outcome.json files it names
};

// cloudai.report_request/1
struct ReportRequest {
  std::string provider;
  std::string kind = "scenario";
  std::vector<ResultsDirectory> results;
  std::string comparison;  // of the kind "comparison": the file that holds the cloudai.comparison/1
  Options options;
  std::string directory;  // where the report's files go
};

struct ReportFiles {
  std::vector<std::string> files;  // relative to the request's directory
};

inline void read(const Value& in, ResultsDirectory& out) {
  out.directory = in.get<std::string>("directory");
}
inline void to_json(Json& out, const ResultsDirectory& in) {
  out = Json::object();
  out["directory"] = in.directory;
}

inline void read(const Value& in, ReportRequest& out) {
  in.require_schema("cloudai.report_request/1");
  out.provider = in.get<std::string>("provider");
  out.kind = in.get<std::string>("kind");
  out.results = in.get<std::vector<ResultsDirectory>>("results");
  out.comparison = in.get_or<std::string>("comparison", {});
  out.options = in.get_or<Options>("options", {});
  out.directory = in.get<std::string>("directory");
}
inline void to_json(Json& out, const ReportRequest& in) {
  out = Json{{"schema", "cloudai.report_request/1"}, {"provider", in.provider}, {"kind", in.kind}};
  out["results"] = in.results;
  put_unless_empty(out, "comparison", in.comparison);
  out["options"] = in.options;
  out["directory"] = in.directory;
}

inline void read(const Value& in, ReportFiles& out) {
  out.files = in.get<std::vector<std::string>>("files");
}
inline void to_json(Json& out, const ReportFiles& in) {
  out = Json::object();
  out["files"] = in.files;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
