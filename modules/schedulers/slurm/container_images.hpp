// Container images: where they are, and how they get there.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"
#include "slurm_commands.hpp"
#include "system_options.hpp"

namespace slurm {

// True for a path rather than a URL.
bool is_local_image(const std::string& url);

// The file an image is cached in: "nvcr.io/nvidia/pytorch:24.02-py3" → "nvcr.io_nvidia__pytorch__24.02-py3.sqsh".
std::string cache_file_name(const std::string& url);

// What srun is told for an image: the cached file where images are cached, else the URL as it is.
std::string image_reference(const std::string& url, const SystemOptions& options);

// Looks for, imports (with enroot, on a node of the cluster) or removes an image.
cloudai::Provisioned provide_image(const cloudai::ProvisionRequest& request, const SystemOptions& options,
                                   const SlurmCommands& commands);

}  // namespace slurm
