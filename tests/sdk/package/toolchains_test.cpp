// Modules of other compilers, standard libraries and flags than the program's own.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/sdk/package/out_of_tree.hpp"

namespace sdk_package {
namespace {

namespace fs = std::filesystem;

// Where a module runs: what `isolation` of a system file is set to; "" leaves it out. Each module runs in all of these.
const std::vector<std::string> isolations{"in-process", "process"};

std::string isolation_toml(const std::string& module, const std::string& isolation) {
  return isolation.empty() ? "" : "[modules." + module + "]\nisolation = \"" + isolation + "\"\n";
}

const Arguments clang{"-DCMAKE_C_COMPILER=clang-14", "-DCMAKE_CXX_COMPILER=clang++-14"};

Toolchain with_flags(std::string name, Arguments options, const std::string& flags) {
  options.push_back("-DCMAKE_CXX_FLAGS=" + flags);
  return {std::move(name), std::move(options)};
}

const Toolchain libcxx = with_flags("clang_libcxx", clang, "-stdlib=libc++");

void replace_in(const fs::path& file, const std::string& what, const std::string& by) {
  std::string text = end_to_end::read(file);
  const auto at = text.find(what);
  ASSERT_NE(at, std::string::npos) << file << " has no " << what;
  std::ofstream(file) << text.replace(at, what.size(), by);
}

void build_and_run(const std::string& name, const Toolchain& toolchain, bool static_runtime = false) {
  const Workspace workspace;
  const fs::path prefix = install(workspace, "sdk");
  const fs::path example = copy_example(workspace, prefix, name);
  if (static_runtime) replace_in(example / "CMakeLists.txt", "manifest.json)", "manifest.json STATIC_RUNTIME)");
  const fs::path modules = build(workspace, prefix, example, toolchain);
  for (const auto& isolation : isolations) {
    SCOPED_TRACE(isolation);
    fs::remove_all(workspace.output());
    const std::string provided = name == "disk_write" ? "DiskWrite" : "CpuCount";
    const Ended ended = run_example(workspace, example, modules, isolation_toml(provided, isolation));
    ASSERT_EQ(ended.exit_status, 0) << ended.err;
    EXPECT_EQ(workspace.summary().at("status"), "passed");
    EXPECT_EQ(module_of(workspace, "org.example." + name).at("path"), (modules / (name + ".so")).string());
  }
}

// The one that shares least with the program.
TEST(Toolchain, ClangWithItsOwnStandardLibrary) {
  if (!fs::exists("/usr/lib/llvm-14/include/c++/v1/string")) {
    GTEST_SKIP() << "There is no libc++-14-dev; scripts/setup --tests installs it.";
  }
  build_and_run("disk_write", libcxx);
}

struct Build {
  std::string example;
  Toolchain toolchain;
  bool static_runtime = false;
};

class EveryToolchain : public testing::TestWithParam<Build> {};

TEST_P(EveryToolchain, LoadsAndRuns) {
  const Build& parameter = GetParam();
  build_and_run(parameter.example, parameter.toolchain, parameter.static_runtime);
}

INSTANTIATE_TEST_SUITE_P(
    EveryToolchain, EveryToolchain,
    testing::Values(
        Build{"disk_write", {"gcc", {"-DCMAKE_CXX_COMPILER=g++"}}}, Build{"disk_write", {"clang", clang}},
        Build{"disk_write", libcxx}, Build{"disk_write", {"static_runtime", {}}, true},
        Build{"disk_write", {"clang_static_runtime", clang}, true},
        Build{"disk_write", with_flags("debug_containers", {}, "-D_GLIBCXX_DEBUG")},
        Build{"disk_write", with_flags("old_strings", {}, "-D_GLIBCXX_USE_CXX11_ABI=0")},
        Build{"disk_write", with_flags("cxx20_optimised", {"-DCMAKE_BUILD_TYPE=Release"}, "-std=c++20 -flto")},
        Build{"cpu_count", {"c99", {"-DCMAKE_C_COMPILER=gcc", "-DCMAKE_C_FLAGS=-std=c99 -pedantic-errors"}}},
        Build{"cpu_count",
              {"clang_c99", {"-DCMAKE_C_COMPILER=clang-14", "-DCMAKE_C_FLAGS=-std=c99 -pedantic-errors"}}}),
    [](const auto& build_of) { return build_of.param.toolchain.name; });

}  // namespace
}  // namespace sdk_package
