// The JSON that nccl-tests writes as one document (versions 1 to 3) and rccl-tests as one object for each placement.
#pragma once

#include <istream>
#include <optional>

#include "modules/workloads/nccl_test/output.hpp"

namespace cloudai::nccl_test {

// Nothing if the stream holds neither. Keys that are not known, and versions newer than those, are no obstacle; the
// environment that the document lists is not read.
std::optional<Output> parse_json_output(std::istream& stream);

}  // namespace cloudai::nccl_test
