#pragma once

#include <string>

namespace runai_simulator {

// What nccl-tests prints for `ranks` ranks, one GPU each and `ranks_per_host` a host, that ended well.
std::string nccl_log(int ranks, int ranks_per_host = 8);

}  // namespace runai_simulator
