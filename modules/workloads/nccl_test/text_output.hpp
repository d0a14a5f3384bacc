// The text: banner, list of devices, tables and closing lines.
//
// Columns are found by the names in the table's header, never by their number, since both changed over the years.
#pragma once

#include <istream>

#include "modules/workloads/nccl_test/output.hpp"

namespace cloudai::nccl_test {

Output parse_text_output(std::istream& stream);

}  // namespace cloudai::nccl_test
