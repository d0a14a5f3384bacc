#include "tests/sdk/package/out_of_tree.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sdk_package {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Ended run_alone(const Workspace& workspace, const Arguments& command, const fs::path& directory) {
  end_to_end::Launch launch;
  launch.command = {"env", "-i", "PATH=/usr/bin:/bin", "CCACHE_BASEDIR=" + workspace.root().string(),
                    "CCACHE_NOHASHDIR=1"};
  for (const char* name : {"HOME", "CCACHE_DIR"}) {
    if (const char* value = std::getenv(name)) launch.command.push_back(std::string(name) + "=" + value);
  }
  launch.command.insert(launch.command.end(), command.begin(), command.end());
  launch.directory = directory;
  return end_to_end::Program(launch, workspace.root() / "scratch").wait(600s);
}

std::string must_run(const Workspace& workspace, const Arguments& command, const fs::path& directory) {
  const Ended ended = run_alone(workspace, command, directory);
  EXPECT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  return ended.out;
}

fs::path install(const Workspace& workspace, const std::string& component) {
  fs::path prefix = workspace.root() / "prefix";
  Arguments command{"cmake", "--install", end_to_end::build_directory().string(), "--prefix", prefix.string()};
  if (!component.empty()) command.insert(command.end(), {"--component", component});
  must_run(workspace, command, workspace.root());
  return prefix;
}

fs::path build(const Workspace& workspace, const fs::path& prefix, const fs::path& project,
               const Toolchain& toolchain) {
  fs::path folder = workspace.root() / ("build_" + project.filename().string() + toolchain.name);
  Arguments configure{"cmake",
                      "-G",
                      "Ninja",
                      "-S",
                      project.string(),
                      "-B",
                      folder.string(),
                      "-DCMAKE_PREFIX_PATH=" + prefix.string(),
                      "-DCLOUDAI_EXECUTABLE=" + (end_to_end::build_directory() / "bin/cloudai").string()};
  if (fs::exists("/usr/bin/ccache")) {
    configure.insert(configure.end(), {"-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"});
  }
  configure.insert(configure.end(), toolchain.options.begin(), toolchain.options.end());
  must_run(workspace, configure, workspace.root());
  must_run(workspace, {"cmake", "--build", folder.string()}, workspace.root());
  return folder;
}

fs::path copy_example(const Workspace& workspace, const fs::path& prefix, const std::string& name) {
  fs::path copy = workspace.root() / name;
  fs::copy(prefix / "share/cloudai-sdk/examples" / name, copy, fs::copy_options::recursive);
  return copy;
}

Ended run_example(const Workspace& workspace, const fs::path& example, const fs::path& build,
                  const std::string& system) {
  workspace.system(system);
  const fs::path own_system = example / "system.toml";
  return workspace.cloudai({"run", "--module-path", build.string(), "--system-config",
                            (fs::exists(own_system) ? own_system : workspace.root() / "system.toml").string(),
                            "--tests-dir", (example / "test").string(), "--test-scenario",
                            (example / "scenario.toml").string(), "--output-dir", workspace.output().string()});
}

end_to_end::Json module_of(const Workspace& workspace, const std::string& id) {
  const auto summary = workspace.summary();
  for (const auto& module : summary.at("modules")) {
    if (module.at("id") == id) return module;
  }
  return nullptr;
}

}  // namespace sdk_package
