// What the nodes of a job say of themselves, in metadata/node-<host>.toml.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cloudai/documents/scheduler.hpp"

namespace slurm {

struct NodeFacts {
  std::vector<cloudai::JobNode> nodes;  // in the order of the names, with facts such as "system.os_version"
  std::vector<std::string> warnings;    // nodes without a file, files that cannot be read
};

// Facts that are "null", unknown, are left out.
NodeFacts read_node_facts(const std::filesystem::path& job_directory, const std::vector<std::string>& names);

// A sentence for each version (of a driver, the kernel, a library) that is not the same on all nodes.
std::vector<std::string> differing_versions(const std::vector<cloudai::JobNode>& nodes);

}  // namespace slurm
