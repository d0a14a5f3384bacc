#include "core/module/catalogue.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/core/module/scratch.hpp"

namespace cloudai::module {
namespace {

namespace fs = std::filesystem;
using test::Scratch;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> reasons(const Catalogue& catalogue) {
  std::vector<std::string> result;
  for (const auto& file : catalogue.ignored()) result.push_back(file.reason);
  return result;
}

Error error_of(const Catalogue& catalogue, std::string_view interface_id, std::string_view name) {
  const auto provider = catalogue.find(interface_id, name);
  return provider ? Error{ErrorKind::usage, "found", {}} : provider.error();
}

TEST(Catalogue, FindsWhatModulesProvideByInterfaceAndName) {
  const Scratch scratch;
  const auto workload = scratch.add("two_names");
  const auto scheduler = scratch.add("scheduler");
  const auto catalogue = Catalogue::scan({scratch.path()});
  EXPECT_THAT(catalogue.ignored(), IsEmpty());
  EXPECT_THAT(catalogue.names(workload_interface), ElementsAre("Fixture", "Other"));
  EXPECT_THAT(catalogue.names(scheduler_interface), ElementsAre("fixture"));
  EXPECT_THAT(catalogue.names(reporter_interface), ElementsAre("fixture"));

  const auto provider = catalogue.find(workload_interface, "Other");
  ASSERT_TRUE(provider);
  EXPECT_EQ(provider->file->path, workload);
  EXPECT_EQ(provider->provided->name, "Other");
  EXPECT_EQ(catalogue.find(scheduler_interface, "fixture")->file->path, scheduler);
}

TEST(Catalogue, ADirectoryThatDoesNotExistIsPassedOver) {
  const auto catalogue = Catalogue::scan({"/no/such/directory"});
  EXPECT_THAT(catalogue.files(), IsEmpty());
  EXPECT_THAT(catalogue.ignored(), IsEmpty());
  EXPECT_EQ(error_of(catalogue, workload_interface, "Fixture").hint,
            "No module directory exists. Name one with --module-path.");
}

TEST(Catalogue, AnUnknownNameComesWithTheNearestOne) {
  const Scratch scratch;
  scratch.add("good");
  const auto catalogue = Catalogue::scan({scratch.path()});
  const auto near = error_of(catalogue, workload_interface, "Fixtur");
  EXPECT_EQ(near.kind, ErrorKind::usage);
  EXPECT_EQ(near.message, "no module provides workload 'Fixtur'. Did you mean 'Fixture'?");
  EXPECT_EQ(near.hint, "Known workloads: Fixture.");
  EXPECT_EQ(error_of(catalogue, workload_interface, "zzz").message, "no module provides workload 'zzz'.");
  const auto other = error_of(catalogue, scheduler_interface, "slurm");
  EXPECT_EQ(other.message, "no module provides scheduler 'slurm'.");
  EXPECT_EQ(other.hint, "No scheduler was found in " + scratch.path().string() + ".");
}

TEST(Catalogue, TheFirstDirectoryWins) {
  const Scratch scratch;
  const auto first = scratch.add("good", "a/mine.so");
  const auto second = scratch.add("two_names", "b/theirs.so");
  const auto catalogue = Catalogue::scan({scratch / "a", scratch / "b"});
  EXPECT_EQ(catalogue.find(workload_interface, "Fixture")->file->path, first);
  EXPECT_EQ(catalogue.find(workload_interface, "Other")->file->path, second);
  EXPECT_THAT(reasons(catalogue),
              ElementsAre("workload 'Fixture' of " + second.string() + " is hidden by " + first.string() + "."));
  EXPECT_EQ(catalogue.ignored()[0].why, Ignored::hidden);
  EXPECT_EQ(catalogue.ignored()[0].hidden, "workload 'Fixture'");
  EXPECT_EQ(catalogue.ignored()[0].hidden_by, first);
}

TEST(Catalogue, AFileOfWhichNothingIsLeftIsNotInUse) {
  const Scratch scratch;
  scratch.add("good", "a/mine.so");
  scratch.add("silent", "b/theirs.so");
  const auto catalogue = Catalogue::scan({scratch / "a", scratch / "b"});
  ASSERT_EQ(catalogue.files().size(), 1U);
  EXPECT_EQ(catalogue.files()[0].id, "test.good");
}

TEST(Catalogue, TwoProvidersInOneDirectoryAreAConflict) {
  const Scratch scratch;
  scratch.add("good", "a/b.so");
  scratch.add("silent", "a/a.so");
  scratch.add("failing", "b/c.so");
  const auto catalogue = Catalogue::scan({scratch / "a", scratch / "b"});
  const std::string sentence = "two modules in " + (scratch / "a").string() +
                               " provide workload 'Fixture': a.so (1.0.0) and b.so (1.0.0). Remove one.";
  EXPECT_THAT(catalogue.conflicts(), ElementsAre(sentence));
  const auto error = error_of(catalogue, workload_interface, "Fixture");
  EXPECT_EQ(error.message, sentence);
  EXPECT_EQ(error.kind, ErrorKind::trouble);
}

TEST(Catalogue, ThreeProvidersAreAConflictToo) {
  const Scratch scratch;
  for (const char* name : {"good", "silent", "failing"}) scratch.add(name);
  EXPECT_THAT(Catalogue::scan({scratch.path()}).conflicts(),
              ElementsAre("several modules in " + scratch.path().string() +
                          " provide workload 'Fixture': failing.so (1.0.0), good.so (1.0.0) and silent.so (1.0.0). "
                          "Keep one."));
}

TEST(Catalogue, AConflictThatIsHiddenIsNone) {
  const Scratch scratch;
  const auto first = scratch.add("refusing", "a/mine.so");
  scratch.add("good", "b/a.so");
  scratch.add("silent", "b/b.so");
  const auto catalogue = Catalogue::scan({scratch / "a", scratch / "b"});
  EXPECT_THAT(catalogue.conflicts(), IsEmpty());
  EXPECT_EQ(catalogue.find(workload_interface, "Fixture")->file->path, first);
}

TEST(Catalogue, ADirectoryNamedTwiceIsScannedOnce) {
  const Scratch scratch;
  scratch.add("good", "a/good.so");
  fs::create_directory_symlink("a", scratch / "link");
  const auto catalogue = Catalogue::scan({scratch / "a", scratch / "a/../a", scratch / "link"});
  EXPECT_EQ(catalogue.files().size(), 1U);
  EXPECT_THAT(catalogue.ignored(), IsEmpty());
}

TEST(Catalogue, OneFileUnderTwoNamesIsNoConflict) {
  const Scratch scratch;
  const auto file = scratch.add("good", "a.so");
  fs::create_symlink("a.so", scratch / "b.so");
  const auto catalogue = Catalogue::scan({scratch.path()});
  EXPECT_THAT(catalogue.conflicts(), IsEmpty());
  EXPECT_THAT(reasons(catalogue),
              ElementsAre((scratch / "b.so").string() + " is " + file.string() + " under another name."));
}

// Everything that may lie in a module directory by mistake, beside one good module.
TEST(Catalogue, NothingThatLiesThereStopsTheScan) {
  const Scratch scratch;
  scratch.add("good");
  scratch.add("undefined_symbol", "undef.so");  // found only when it is loaded
  scratch.add("plain_library");
  scratch.directory("dir.so");
  scratch.write("text.so", "hello\n");
  scratch.write("readme.txt", "hello\n");
  fs::create_symlink("missing", scratch / "dangling.so");
  ASSERT_EQ(::mkfifo((scratch / "fifo.so").c_str(), 0600), 0);
  fs::resize_file(scratch.add("silent", "truncated.so"), 5000);
  if (::geteuid() != 0) fs::permissions(scratch.add("wordless", "unreadable.so"), fs::perms::none);

  const auto catalogue = Catalogue::scan({scratch.path()});
  EXPECT_TRUE(catalogue.find(workload_interface, "Fixture").has_value() || !catalogue.conflicts().empty());
  std::vector<std::string> broken;
  std::vector<std::string> no_modules;
  for (const auto& file : catalogue.ignored()) {
    (file.why == Ignored::broken ? broken : no_modules).push_back(file.path.filename().string());
  }
  std::vector<std::string> expected = {"dangling.so", "dir.so", "fifo.so", "text.so", "truncated.so"};
  if (::geteuid() != 0) expected.emplace_back("unreadable.so");
  EXPECT_EQ(broken, expected);
  EXPECT_THAT(no_modules, ElementsAre("plain_library.so"));
}

TEST(Catalogue, AModuleThatMayHaveBeenMeantIsNamedWithItsReason) {
  const Scratch scratch;
  scratch.add("scheduler");
  const auto broken = scratch.write("nccl_test.so", "not yet").string();
  const auto catalogue = Catalogue::scan({scratch.path()});
  const auto error = error_of(catalogue, workload_interface, "NcclTest");
  EXPECT_EQ(error.kind, ErrorKind::trouble);
  EXPECT_EQ(error.message, "module 'NcclTest' cannot be loaded: " + broken + " is not an ELF file.");
  // For any other name it is at least mentioned.
  EXPECT_EQ(error_of(catalogue, workload_interface, "Sleep").hint,
            "No workload was found in " + scratch.path().string() + ".\n" + broken + " is not an ELF file.");
}

TEST(Catalogue, APlaceThatIsNoDirectoryIsReported) {
  const Scratch scratch;
  const auto file = scratch.add("good");
  const auto catalogue = Catalogue::scan({file});
  EXPECT_THAT(reasons(catalogue),
              ElementsAre("the module directory " + file.string() + " cannot be read: Not a directory."));
  EXPECT_EQ(catalogue.ignored()[0].why, Ignored::broken);
}

TEST(Catalogue, KindsHaveNames) {
  EXPECT_EQ(kind_of("cloudai.workload/1"), "workload");
  EXPECT_EQ(kind_of("cloudai.scheduler/1"), "scheduler");
  EXPECT_EQ(kind_of("cloudai.reporter/1"), "reporter");
  EXPECT_EQ(kind_of("cloudai.oracle/1"), "cloudai.oracle/1");
}

}  // namespace
}  // namespace cloudai::module
