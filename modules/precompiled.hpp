// The headers nearly every file of a built-in module includes, compiled once for each of the larger modules.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/scheduler.hpp"
#include "cloudai/documents/workload.hpp"
#include "cloudai/processes.hpp"
