// The SDK as a module's author has it: installed somewhere, with no more than a compiler and CMake beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/end_to_end/workspace.hpp"

namespace sdk_package {

using end_to_end::Arguments;
using end_to_end::Ended;
using end_to_end::Workspace;

// Runs a command in `directory` with PATH, HOME and the compiler cache's variables alone.
Ended run_alone(const Workspace& workspace, const Arguments& command, const std::filesystem::path& directory);

// The same; what goes wrong is a failure of the test. Gives what it printed.
std::string must_run(const Workspace& workspace, const Arguments& command, const std::filesystem::path& directory);

// `cmake --install` of a component, or of all with "", below the workspace. Gives the prefix.
std::filesystem::path install(const Workspace& workspace, const std::string& component);

// How a module is compiled.
struct Toolchain {
  std::string name;
  Arguments options;  // of CMake
};

// Configures and builds a project against the SDK in `prefix`. Gives its build folder, which holds the modules.
std::filesystem::path build(const Workspace& workspace, const std::filesystem::path& prefix,
                            const std::filesystem::path& project, const Toolchain& toolchain = {});

// Copies an installed example, so that a test can add to it.
std::filesystem::path copy_example(const Workspace& workspace, const std::filesystem::path& prefix,
                                   const std::string& name);

// Runs the scenario of an example with the modules of `build`. `system`: TOML for the system file.
Ended run_example(const Workspace& workspace, const std::filesystem::path& example, const std::filesystem::path& build,
                  const std::string& system = "");

// The module with this id among those that the summary says were used; null if it is not there.
end_to_end::Json module_of(const Workspace& workspace, const std::string& id);

}  // namespace sdk_package
