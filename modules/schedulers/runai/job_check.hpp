// Whether a job is one that a workload of Run:ai can be.
#pragma once

#include <string>
#include <string_view>

#include "cloudai/documents/scheduler.hpp"

namespace runai {

// The one stage of a job. Throws cloudai::Error for a job that is not one stage of one step, and for everything that
// Run:ai cannot do or that nothing there would do: a sentence each.
const cloudai::JobStage& checked_stage(const cloudai::Job& job);

// The nodes that the step of a stage runs on.
int nodes_of(const cloudai::Job& job, const cloudai::JobStage& stage);

// `text` with `\$` as a dollar. `what` is "the environment variable 'A'": no shell starts a workload, so what a shell
// would expand is Error(invalid_config) that names it.
std::string literal_text(const cloudai::JobStage& stage, std::string_view text, const std::string& what);

// The name by which a cluster pulls an image.
std::string image_reference(const cloudai::JobStage& stage, const std::string& url);

}  // namespace runai
