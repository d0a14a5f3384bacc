// A job as the document that makes it a workload.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"
#include "runai_api.hpp"
#include "system_options.hpp"

namespace runai {

inline constexpr const char* payload_file_name = "runai-workload.json";  // in the stage's directory

// What submit needs to know of a job, as render hands it over.
struct Submission {
  WorkloadKind kind = WorkloadKind::training;
  std::string name;
  std::string file;  // of the payload, relative to the job's directory
  cloudai::StageKind stage = cloudai::StageKind::main;
  std::string stage_name;
  std::string stage_directory;
  std::optional<double> time_limit;  // seconds from when it runs
};

cloudai::Json to_document(const Submission& submission);
// Throws Error(invalid_document).
Submission read_submission(const cloudai::Json& document);

// One node: a training; several: a distributed one with MPI. Throws Error for what Run:ai cannot do. Pure.
cloudai::Rendering render_job(const cloudai::Job& job, const SystemOptions& options);

// The payload with another name.
std::string renamed_payload(const std::string& payload, const std::string& name);

}  // namespace runai
