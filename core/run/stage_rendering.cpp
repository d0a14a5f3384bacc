#include "core/run/stage_rendering.hpp"

#include <algorithm>
#include <filesystem>

#include "core/pipeline/documents.hpp"
#include "core/run/stage_jobs.hpp"

namespace cloudai::run {

namespace fs = std::filesystem;

namespace {

// The first so many of the job's nodes.
Json nodes_of(const Json& job, const Json& stage) {
  Json nodes = job.at("nodes");
  const auto count = stage.find("num_nodes");
  if (count == stage.end()) return nodes;
  nodes["count"] = *count;
  Json& names = nodes["names"];
  while (names.size() > count->get<std::size_t>()) names.erase(names.size() - 1);
  return nodes;
}

Json job_of_stage(const Json& job, const Json& stage, const std::string& tag) {
  const std::string kind = text_of(stage, "kind");
  Json document = {
      {"schema", job.at("schema")}, {"tag", tag}, {"name", text_of(job, "name") + (kind == "main" ? "" : "." + kind)}};
  if (const auto limit = stage.find("time_limit"); limit != stage.end()) document["time_limit"] = *limit;
  document["nodes"] = nodes_of(job, stage);
  if (const auto excluded = job.find("exclude_nodes"); excluded != job.end()) document["exclude_nodes"] = *excluded;
  const std::string directory = text_of(stage, "directory");
  document["directory"] = job.at("directory");
  if (directory != ".") {
    document["directory"] = (fs::path(text_of(job, "directory")) / directory).string();
    document["run_directory"] = job.at("directory");
  }
  Json alone = stage;
  alone["directory"] = ".";
  alone.erase("num_nodes");
  document["runs"] = Json::array({{{"id", job.at("runs").front().at("id")},
                                   {"after", Json::array()},
                                   {"stages", Json::array({std::move(alone)})}}});
  return document;
}

// What of a stage's rendering belongs to the whole.
void add_rendering(Json& whole, const StageJob& stage, const Json& rendering) {
  for (Json file : rendering.at("files")) {
    if (file.is_object() && stage.directory != ".") {
      file["path"] = (fs::path(stage.directory) / text_of(file, "path")).generic_string();
    }
    whole["files"].push_back(std::move(file));
  }
  std::string& command = whole["command"].get_ref<std::string&>();
  command += (command.empty() ? "" : "\n") + text_of(rendering, "command");
  if (stage.kind == "main") whole["main_command"] = text_of(rendering, "main_command");
}

}  // namespace

bool has_several_stages(const Json& job) {
  const Json& runs = job.at("runs");
  return runs.size() == 1 && runs.front().at("stages").size() > 1;
}

Result<Json> render_stage_jobs(const Json& job, const std::function<Result<Json>(const Json&)>& render) {
  const Json& run = job.at("runs").front();
  Json whole = {{"schema", "cloudai.rendering/1"},
                {"files", Json::array()},
                {"submission", Json()},
                {"command", ""},
                {"main_command", ""}};
  std::vector<StageJob> stages;
  for (const Json& document : run.at("stages")) {
    StageJob stage;
    stage.kind = text_of(document, "kind");
    stage.name = text_of(document, "name");
    stage.directory = text_of(document, "directory");
    stage.tag = pipeline::job_tag(text_of(job, "tag"), stage.directory, 1);
    stage.success = document.at("plan").value("success", Json::object());
    auto rendering = render(job_of_stage(job, document, stage.tag));
    if (!rendering) {
      Error error = rendering.error();
      if (stage.kind != "main") error.message = named(stage) + ": " + error.message;
      return tl::make_unexpected(std::move(error));
    }
    stage.submission = rendering->value("submission", Json::object());
    add_rendering(whole, stage, *rendering);
    stages.push_back(std::move(stage));
  }
  whole["submission"] = submission_of(text_of(run, "id"), stages);
  return whole;
}

}  // namespace cloudai::run
