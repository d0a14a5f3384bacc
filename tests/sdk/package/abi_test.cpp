// The layout of the boundary's types against the one that is kept, as libabigail sees them. abi_layout.c holds the same
// in numbers, and the values of constants besides; it need only compile.
#include <gmock/gmock.h>

#include <fstream>
#include <regex>

#include "tests/sdk/package/out_of_tree.hpp"

namespace sdk_package {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Abi : public testing::Test {
 protected:
  void SetUp() override {
    if (run_alone(workspace_, {"abidw", "--version"}, workspace_.root()).exit_status != 0) {
      GTEST_SKIP() << "There is no abidw; scripts/setup --tests installs it (abigail-tools).";
    }
  }

  // The reference compared with the headers in `include`.
  Ended compare_with(const fs::path& include) const {
    const std::string found = (workspace_.root() / "found.abi").string();
    must_run(workspace_, {(abi_ / "record").string(), found, include.string()}, workspace_.root());
    return run_alone(workspace_, {"abidiff", (abi_ / "boundary.abi").string(), found}, workspace_.root());
  }

  // The same, with `what` in the header replaced.
  Ended compare_with_changed(const std::string& header, const std::string& what, const std::string& by) const {
    const fs::path include = workspace_.root() / "include";
    fs::copy(source_ / "sdk/include", include, fs::copy_options::recursive);
    const fs::path file = include / "cloudai/abi" / header;
    std::string text = end_to_end::read(file);
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos);
    std::ofstream(file) << text.replace(at, what.size(), by);
    return compare_with(include);
  }

  Workspace workspace_;
  fs::path source_ = end_to_end::source_directory();
  fs::path abi_ = source_ / "sdk/abi";
};

TEST_F(Abi, TheHeadersHaveTheLayoutThatIsKept) {
  const Ended ended = compare_with(source_ / "sdk/include");
  EXPECT_EQ(ended.exit_status, 0)
      << "The layout of the boundary differs from sdk/abi/boundary.abi, so modules that exist must be built again:\n\n"
      << ended.out << ended.err
      << "\nIf that is meant (docs/abi.md says what may change): run sdk/abi/record, change "
         "tests/sdk/package/abi_layout.c, and commit both with the change.";
}

TEST_F(Abi, AMemberInTheMiddleIsFound) {
  const Ended ended =
      compare_with_changed("workload.h", "  cloudai_call plan;", "  cloudai_call extra;\n  cloudai_call plan;");
  EXPECT_NE(ended.exit_status, 0);
  EXPECT_THAT(ended.out, HasSubstr("'cloudai_call plan' offset changed"));
}

TEST_F(Abi, AnotherSignatureIsFound) {
  const Ended ended =
      compare_with_changed("module.h", "void (*deinit)(void);", "int32_t (*deinit)(const cloudai_host* host);");
  EXPECT_NE(ended.exit_status, 0);
  EXPECT_THAT(ended.out, HasSubstr("deinit"));
}

// A new header that nobody added to the reference would go unguarded.
TEST(AbiReference, HasEveryStructOfTheHeaders) {
  const fs::path source = end_to_end::source_directory();
  const std::string reference = end_to_end::read(source / "sdk/abi/boundary.abi");
  const std::regex structs("typedef struct (cloudai_[a-z0-9_]+)");
  int count = 0;
  for (const auto& header : fs::directory_iterator(source / "sdk/include/cloudai/abi")) {
    const std::string text = end_to_end::read(header.path());
    for (std::sregex_iterator found(text.begin(), text.end(), structs), end; found != end; ++found, ++count) {
      EXPECT_NE(reference.find("<class-decl name='" + (*found)[1].str() + "'"), std::string::npos)
          << header.path() << " is new to the reference: use it in sdk/abi/types.c, run sdk/abi/record, and write its "
          << "layout down in tests/sdk/package/abi_layout.c.";
    }
  }
  EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace sdk_package
