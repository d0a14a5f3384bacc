// What launchers, log collectors and terminals add to a line.
#pragma once

#include <string>
#include <string_view>

namespace cloudai::nccl_test {

struct LineContent {
  std::string_view text;
  bool is_stderr = false;  // tagged as a line of stderr
};

// The line as the program wrote it. These are no part of it: "[1,0]<stdout>:" (mpirun), "0: " (srun), RFC 3339 times
// and "[pod/name/container] " (kubectl), in any order; ANSI sequences, carriage returns and other control characters.
// Without the latter the text lies in `raw`, else in `scratch`.
LineContent content_of(std::string_view raw, std::string& scratch);

}  // namespace cloudai::nccl_test
