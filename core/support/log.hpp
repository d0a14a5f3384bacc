// The program's log: one line a message on stderr (`[INFO] …`), everything with date and level in debug.log.
//
// Messages logged before open_file() are kept and written to the file once it is opened.
#pragma once

#include <spdlog/spdlog.h>
#include <filesystem>
#include <string_view>

#include "core/support/result.hpp"

namespace cloudai::log {

// Sets up the console. Called once, first thing in main.
void start();

// Writes debug.log at `path`, earlier messages included. A file that cannot be written is an error.
Result<void> open_file(const std::filesystem::path& path);

// Flushes and closes the file.
void finish();

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

}  // namespace cloudai::log
