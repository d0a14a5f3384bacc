// Tests of the built program on a real Slurm: a user's folder, and a cluster of virtual nodes that this test has alone.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/end_to_end/workspace.hpp"
#include "tests/slurm_cluster/cluster.hpp"

namespace end_to_end {

class SlurmTest : public testing::Test {
 protected:
  // Skips the test where there can be no cluster.
  void SetUp() override { start_cluster({}); }
  void start_cluster(const slurm_cluster::Options& options);
  // Logs and rendered scripts stay if the test failed.
  void TearDown() override { cluster.reset(); }

  // system.toml: this cluster; `more` is TOML that follows.
  void system(const std::string& more = "", const std::string& partition = "main") const;

  std::unique_ptr<Program> start(const Arguments& arguments, std::map<std::string, std::string> environment = {}) const;
  // `cloudai run` to its end.
  Ended run(const Arguments& more = {}, const std::map<std::string, std::string>& environment = {}) const;

  // The id of the job of this test, once it has this state; empty, and a failure, if it never has.
  std::string job_in_state(const std::string& test, const std::string& state) const;
  // How many jobs the controller knows of, ended ones too.
  int jobs_ever() const;

  // A folder for PATH in which this name runs `script` (bash), where $REAL is the program that it stands for.
  std::string path_with(const std::string& name, const std::string& script) const;

  Workspace workspace;
  std::unique_ptr<slurm_cluster::Cluster> cluster;
};

std::string reason_code(const Json& run_or_stage);
std::string reason_text(const Json& run_or_stage);

// BashCmd text: adds a line with the node's hostname and the job's id to this mark.
std::string record_node(const std::string& mark);

std::vector<std::string> lines_of(const std::string& text);

}  // namespace end_to_end
