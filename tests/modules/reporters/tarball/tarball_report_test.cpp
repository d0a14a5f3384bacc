// The tarball reporter as a module, on whole results directories.
#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <map>
#include <memory>

#include "tests/modules/reporters/support/child_process.hpp"
#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

// libarchive lets go of a compressor only when it may write the end of the archive.
extern "C" const char* __lsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:deflateInit2_\nleak:libarchive\n";
}

namespace cloudai {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Member {
  std::string name;
  std::string content;  // of a link: where it leads to
  unsigned mode = 0;
};

std::vector<Member> members_of(const fs::path& file) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_format_tar(reader.get());
  EXPECT_EQ(archive_read_open_filename(reader.get(), file.c_str(), 65536), ARCHIVE_OK) << file;
  std::vector<Member> members;
  archive_entry* entry = nullptr;
  while (archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK) {
    Member member{archive_entry_pathname(entry), {}, archive_entry_perm(entry)};
    if (const char* target = archive_entry_symlink(entry)) {
      member.content = std::string("-> ") + target;
    } else {
      member.content.resize(static_cast<std::size_t>(archive_entry_size(entry)));
      EXPECT_EQ(archive_read_data(reader.get(), member.content.data(), member.content.size()),
                static_cast<la_ssize_t>(member.content.size()));
    }
    members.push_back(std::move(member));
  }
  EXPECT_EQ(archive_errno(reader.get()), 0);
  return members;
}

class TarballReportTest : public ::testing::Test {
 protected:
  TarballReportTest() { fs::create_directory(results); }

  testing::Reply write() { return testing::write_report("tarball", results, host); }

  // The members' names below the folder that all of them are in.
  std::vector<std::string> names() {
    EXPECT_EQ(write().status, CLOUDAI_OK);
    std::vector<std::string> result;
    for (const Member& member : members_of(tarball)) {
      const std::string root = results.filename().string() + "/";
      EXPECT_EQ(member.name.substr(0, root.size()), root);
      result.push_back(member.name.substr(root.size()));
    }
    return result;
  }

  std::string content_of(const std::string& name) const {
    for (const Member& member : members_of(tarball)) {
      if (member.name == results.filename().string() + "/" + name) return member.content;
    }
    return "(not there)";
  }

  // One run that failed, "A/0", with its files.
  void write_failed() {
    Json summary = samples::summary("failed");
    summary["runs"].push_back(samples::unsuccessful_run("A", "t", "failed", {"exit_status", "exit status 1", "", {}}));
    summary["runs"].push_back(samples::passed_run("B", "t", 9));
    samples::count_runs(summary);
    samples::write_results(results, summary);
    samples::write_file(results / "inputs.json", "{}\n");
  }

  void write_private(const std::string& name, const std::string& content) const {
    samples::write_file(results / name, content);
    ASSERT_EQ(::chmod((results / name).c_str(), 0600), 0);
  }

  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
  // Everything after a dot is part of the name.
  const fs::path results = directory.path() / "nemo2.0 llama_2026-03-01_12-00-00";
  const fs::path tarball = results / "nemo2.0 llama_2026-03-01_12-00-00.tgz";
};

TEST_F(TarballReportTest, HoldsTheRunsThatFailedAndTheSummary) {
  samples::write_mixed(results);
  samples::write_file(results / "inputs.json", "{}\n");
  EXPECT_THAT(names(), ElementsAre("summary.json", "inputs.json",                                                //
                                   "reduce-scatter/0/outcome.json", "reduce-scatter/0/stderr.txt",               //
                                   "reduce-scatter/0/stdout.txt", "broadcast/0/outcome.json",                    //
                                   "broadcast/0/stderr.txt", "broadcast/0/stdout.txt",                           //
                                   "alltoall/0/outcome.json", "alltoall/0/stderr.txt", "alltoall/0/stdout.txt",  //
                                   "sendrecv/0/outcome.json", "sendrecv/0/stderr.txt", "sendrecv/0/stdout.txt"));
  EXPECT_EQ(content_of("summary.json"), samples::read_file(results / "summary.json"));
  EXPECT_EQ(content_of("broadcast/0/stdout.txt"), "# nThread 1 nGpus 1\n");
  EXPECT_EQ(write().json()["files"], Json::array({tarball.filename().string()}));
}

TEST_F(TarballReportTest, IsNotThereIfAllPassed) {
  samples::write_passed(results);
  samples::write_file(tarball, "of a report before the verdicts changed");
  const testing::Reply reply = write();
  EXPECT_EQ(reply.status, CLOUDAI_OK);
  EXPECT_EQ(reply.json()["files"], Json::array());
  EXPECT_FALSE(fs::exists(tarball));
}

TEST_F(TarballReportTest, LeavesOutWhatMayHoldSecretsAndSaysSo) {
  write_failed();
  write_private("A/0/cloudai_run.sh", "export HF_TOKEN=hf_12345\n");
  write_private("A/0/stdout.txt", "output\n");
  const auto members = names();
  EXPECT_THAT(members, ElementsAre("summary.json", "inputs.json", "A/0/outcome.json", "A/0/stderr.txt",
                                   "A/0/stdout.txt", "left-out.txt"));
  EXPECT_EQ(content_of("A/0/stdout.txt"), "output\n");
  EXPECT_EQ(content_of("left-out.txt"),
            "A/0/cloudai_run.sh: only its owner may read it, so that it may hold secrets\n");
  for (const Member& member : members_of(tarball)) EXPECT_THAT(member.content, Not(HasSubstr("hf_12345")));
}

TEST_F(TarballReportTest, FollowsNoLinkAndKeepsThoseThatStayInside) {
  write_failed();
  samples::write_file(directory.path() / "outside/secret.txt", "secret");
  fs::create_symlink(directory.path() / "outside/secret.txt", results / "A/0/absolute");
  fs::create_symlink("../../../outside/secret.txt", results / "A/0/outwards");
  fs::create_directory_symlink("../../../outside", results / "A/0/folder");
  fs::create_symlink("stdout.txt", results / "A/0/latest");
  ASSERT_EQ(::mkfifo((results / "A/0/pipe").c_str(), 0644), 0);
  EXPECT_THAT(names(), ElementsAre("summary.json", "inputs.json", "A/0/latest", "A/0/outcome.json", "A/0/stderr.txt",
                                   "A/0/stdout.txt", "left-out.txt"));
  EXPECT_EQ(content_of("A/0/latest"), "-> stdout.txt");
  EXPECT_EQ(content_of("left-out.txt"),
            "A/0/absolute: it is a symbolic link that leads out of the results: " +
                (directory.path() / "outside/secret.txt").string() +
                "\nA/0/folder: it is a symbolic link that leads out of the results: ../../../outside\n"
                "A/0/outwards: it is a symbolic link that leads out of the results: ../../../outside/secret.txt\n"
                "A/0/pipe: it is not a regular file\n");
}

TEST_F(TarballReportTest, NeverLeavesTheResults) {
  Json summary = samples::summary("hostile");
  Json run = samples::unsuccessful_run("A", "t", "failed", {"exit_status", "exit status 1", "", {}});
  run["directory"] = "../outside";
  summary["runs"].push_back(run);
  samples::write_results(results, summary);
  samples::write_file(directory.path() / "outside/secret.txt", "secret");
  EXPECT_THAT(names(), ElementsAre("summary.json", "left-out.txt"));
  EXPECT_THAT(content_of("left-out.txt"), HasSubstr("inputs.json: it cannot be opened: No such file or directory\n"
                                                    "../outside: The path '../outside' leaves the results directory"));
}

TEST_F(TarballReportTest, IsTheSameEveryTimeAndReplacesTheOneBefore) {
  write_failed();
  samples::write_file(results / "A/0/long/" / std::string(150, 'n') / "試験 \"x\".txt", "deep");
  ASSERT_EQ(write().status, CLOUDAI_OK);
  const std::string first = samples::read_file(tarball);
  ASSERT_EQ(write().status, CLOUDAI_OK);
  EXPECT_EQ(samples::read_file(tarball), first);
  EXPECT_EQ(content_of("A/0/long/" + std::string(150, 'n') + "/試験 \"x\".txt"), "deep");
}

TEST_F(TarballReportTest, StreamsLargeFiles) {
  write_failed();
  const fs::path large = results / "A/0/stdout.txt";
  fs::resize_file(large, std::uintmax_t{300} << 20U);
  long peak = 0;
  const auto end = testing::in_child([&] {
    if (testing::write_report("tarball", results, host).status != CLOUDAI_OK) ::_exit(1);
  });
  peak = end.peak_kib;
  EXPECT_TRUE(end.good);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(peak, 150 * 1024);
#endif
  fs::resize_file(large, 0);
}

TEST_F(TarballReportTest, StopsWhenItIsToldToAndLeavesNothing) {
  write_failed();
  samples::write_file(results / "A/0/stdout.txt", "some output\n");
  host.cancelled = true;
  const testing::Reply reply = write();
  EXPECT_EQ(reply.status, CLOUDAI_CANCELLED);
  EXPECT_FALSE(fs::exists(tarball));
  for (const auto& entry : fs::directory_iterator(results)) EXPECT_NE(entry.path().extension(), ".tmp");
}

TEST_F(TarballReportTest, FailsWithoutASummaryAndLeavesNothing) {
  const testing::Reply reply = write();
  EXPECT_EQ(reply.status, CLOUDAI_FAILED);
  EXPECT_EQ(reply.message(), (results / "summary.json").string() + " does not exist.");
  EXPECT_TRUE(fs::is_empty(results));
}

}  // namespace
}  // namespace cloudai
