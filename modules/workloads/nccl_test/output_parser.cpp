#include "modules/workloads/nccl_test/output_parser.hpp"

#include <algorithm>
#include <vector>

#include "modules/workloads/nccl_test/json_output.hpp"
#include "modules/workloads/nccl_test/text_output.hpp"

namespace cloudai::nccl_test {

namespace {

// How often the rank that is listed most often is listed: processes that each believe to be alone are all rank 0.
int most_times_listed(const std::vector<Device>& devices) {
  std::vector<std::int64_t> ranks;
  for (const Device& listed : devices) ranks.push_back(listed.rank);
  std::sort(ranks.begin(), ranks.end());
  int most = 0;
  int times = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    times = i > 0 && ranks[i] == ranks[i - 1] ? times + 1 : 1;
    most = std::max(most, times);
  }
  return most;
}

Output parsed(std::istream& stream) {
  if (stream.peek() == '{') {
    if (auto output = parse_json_output(stream)) return std::move(*output);
    // A launcher's or collector's line that only looks like it.
    stream.clear();
    stream.seekg(0);
  }
  return parse_text_output(stream);
}

}  // namespace

Output parse_output(std::istream& stream) {
  Output output = parsed(stream);
  output.tables = std::max(output.tables, most_times_listed(output.devices));
  return output;
}

}  // namespace cloudai::nccl_test
