#include <gmock/gmock.h>

#include "tests/runai_simulator/clock.hpp"
#include "tests/runai_simulator/pod_command.hpp"
#include "tests/runai_simulator/shape.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {
namespace {

using ::testing::ElementsAre;

TEST(SimulatorText, GlobsMatchAsAShellWould) {
  EXPECT_TRUE(matches_glob("/api/*/events", "/api/v1/workloads/7/events"));
  EXPECT_TRUE(matches_glob("a?c*", "abc"));
  EXPECT_FALSE(matches_glob("/api/*/events", "/api/v1/workloads/7/pods"));
  EXPECT_FALSE(matches_glob("", "a"));
}

TEST(SimulatorText, FormsAreDecoded) {
  const auto fields = decode_form("grant_type=client_credentials&secret=a%2Bb+c%3D&empty=");
  EXPECT_EQ(fields.at("secret"), "a+b c=");
  EXPECT_EQ(fields.at("empty"), "");
}

TEST(SimulatorText, CommandLinesAreSplitAsAShellWould) {
  EXPECT_THAT(*shell_words(R"(a 'b c' "d \"e\"" f\ g '' )"), ElementsAre("a", "b c", "d \"e\"", "f g", ""));
  EXPECT_THAT(*shell_words("-x A=$HOME 'it'\\''s'"), ElementsAre("-x", "A=$HOME", "it's"));
  EXPECT_FALSE(shell_words("echo 'never closed"));
}

TEST(SimulatorText, TimesAreThoseOfTheApiAndOfHttp) {
  EXPECT_EQ(timestamp(1796007600123), "2026-11-30T03:00:00.123Z");
  EXPECT_EQ(http_date(1796007600123), "Mon, 30 Nov 2026 03:00:00 GMT");
}

TEST(SimulatorText, TokensAreInTheAlphabetOfUrls) {
  EXPECT_EQ(base64url("{\"a\":1}"), "eyJhIjoxfQ");
  EXPECT_EQ(base64url("\xff\xfe"), "__4");
}

TEST(SimulatorText, OfMpirunTheProgramIsLeft) {
  EXPECT_THAT(without_mpirun({"mpirun", "--allow-run-as-root", "-np", "16", "-bind-to", "none", "-x", "A", "--mca", "b",
                              "c", "all_reduce_perf_mpi", "-b", "32M"}),
              ElementsAre("all_reduce_perf_mpi", "-b", "32M"));
  EXPECT_THAT(without_mpirun({"sh", "-c", "mpirun x"}), ElementsAre("sh", "-c", "mpirun x"));
}

TEST(SimulatorShape, ViolationsNameTheField) {
  const Json good{{"spec", {{"numWorkers", 2}, {"command", nullptr}, {"distributedFramework", "MPI"}}}};
  EXPECT_THAT(shape_violations(good, creation_shape("Distributed"), true), ElementsAre());
  const Json bad{{"spec",
                  {{"numWorkers", 0},
                   {"distributedFramework", "PVM"},
                   {"command", Json::array({"a"})},
                   {"later", 1},
                   {"compute", {{"gpuDevicesRequest", "8"}}}}}};
  EXPECT_THAT(shape_violations(bad, creation_shape("Distributed"), true),
              ElementsAre("spec.command must be of type string", "spec.compute.gpuDevicesRequest must be of type int",
                          "spec.distributedFramework must be one of MPI|PyTorch|TF|XGBoost|JAX",
                          "spec.later is unknown", "spec.numWorkers must be at least 1"));
  EXPECT_EQ(shape_violations(bad, creation_shape("Distributed"), false).size(), 4U);
}

}  // namespace
}  // namespace runai_simulator
