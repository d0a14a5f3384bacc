// Reads what nccl-tests, rccl-tests and programs that print like them wrote: text of every generation, or JSON.
//
// What is not understood is never guessed: a row that does not fit its table's header is counted as malformed.
#pragma once

#include <istream>

#include "modules/workloads/nccl_test/output.hpp"

namespace cloudai::nccl_test {

// Reads a stream of any length and content with a bounded amount of memory.
Output parse_output(std::istream& stream);

}  // namespace cloudai::nccl_test
