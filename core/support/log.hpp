// The program's log: one line a message on stderr (`[INFO] …`), everything with date and level in debug.log.
//
// Messages logged before open_file() are kept and written to the file once it is opened.
#pragma once

#include <spdlog/spdlog.h>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/support/result.hpp"

namespace cloudai::log {

using Level = spdlog::level::level_enum;

// Sets up the console. Called once, first thing in main.
void start();

// What stderr shows from now on; the files have everything.
void set_console_level(Level level);
Level console_level();

// Writes debug.log at `path`, earlier messages included. A file that cannot be written is an error.
Result<void> open_file(const std::filesystem::path& path);

// Appends every message from now on to the file at `path`, as in debug.log. A file that cannot be written is an error.
// To be called before there are other threads.
Result<void> also_write_to(const std::filesystem::path& path);

// A line that stays below the messages until it is replaced; empty: no more. For a terminal only
// (terminal::can_rewrite_lines).
void show_status(std::string text);

// Flushes the files and takes the status away for good. Called last.
void finish();

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

}  // namespace cloudai::log
