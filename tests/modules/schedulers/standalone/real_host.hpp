// A host whose commands are real: the core's process service behind the C boundary.
#pragma once

#include "cloudai/abi/host.h"

namespace standalone::testing {

const cloudai_host* real_host();

}  // namespace standalone::testing
