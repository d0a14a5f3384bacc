// A cluster whose commands answer what a test says, and a scheduler on it.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "slurm_scheduler.hpp"
#include "tests/sdk/module_harness.hpp"
#include "text_fields.hpp"

namespace slurm::testing {

struct Answer {
  Answer(const char* output) : out(output) {}
  Answer(std::string output, std::string errors = {}, int status = 0, bool is_late = false)
      : out(std::move(output)), err(std::move(errors)), exit_status(status), timed_out(is_late) {}

  std::string out;
  std::string err;
  int exit_status = 0;
  bool timed_out = false;
};

constexpr const char* config_with_accounting =
    "Configuration data as of 2026-03-01T12:00:00\n"
    "AccountingStorageType   = accounting_storage/slurmdbd\n"
    "GresTypes               = gpu\n"
    "MinJobAge               = 300 sec\n"
    "SLURM_VERSION           = 24.05.2\n";
constexpr const char* config_without_accounting =
    "AccountingStorageType   = accounting_storage/none\n"
    "GresTypes               = gpu,craynetwork\n"
    "MinJobAge               = 300 sec\n";
constexpr const char* one_partition =
    "PartitionName=main\n   AllocNodes=ALL Default=YES QoS=N/A\n   MaxNodes=UNLIMITED MaxTime=1-00:00:00 MinNodes=0\n"
    "   Nodes=n[1-4]\n   State=UP TotalCPUs=64 TotalNodes=4\n";

class RecordedCluster {
 public:
  RecordedCluster() {
    say("scontrol show config", {config_with_accounting});
    say("scontrol show partition", {one_partition});
    say("squeue", {""});
    say("sacct", {""});
    say("scancel", {""});
    host_.on_process = [this](const std::string&, const cloudai::Json& request) { return answer(request); };
    cloudai::host().connect(host_.get());
  }

  // What commands that begin with these words answer from now on: each answer once, the last one for ever.
  void say(const std::string& command, std::initializer_list<Answer> answers) { answers_[command] = answers; }

  // Every command run, in words, without what is the same every time.
  std::vector<std::string> commands() const {
    std::vector<std::string> lines;
    for (const auto& [function, request] : host_.process_calls) {
      lines.push_back(join(request.at("argv").get<std::vector<std::string>>(), " "));
    }
    return lines;
  }
  int count(const std::string& program) const {
    int number = 0;
    for (const std::string& command : commands()) number += command.rfind(program, 0) == 0 ? 1 : 0;
    return number;
  }
  std::string last(const std::string& program) const {
    std::string found;
    for (const std::string& command : commands()) {
      if (command.rfind(program, 0) == 0) found = command;
    }
    return found;
  }
  cloudai::testing::FakeHost& host() { return host_; }
  std::string log() const {
    std::string text;
    for (const auto& line : host_.log) text += line.text + "\n";
    return text;
  }

  SteadyTime now = std::chrono::steady_clock::now();
  void pass(int seconds) { now += std::chrono::seconds(seconds); }

  static cloudai::OpenRequest open_request(cloudai::Json options = cloudai::Json::object(), bool offline = false) {
    cloudai::OpenRequest request;
    request.provider = "slurm";
    request.offline = offline;
    request.system.name = "cluster";
    request.system.install_path = "/install";
    request.system.output_path = "/output";
    request.system.options.json = {{"default_partition", "main"}, {"partitions", cloudai::Json::array()}};
    request.system.options.json.update(options);
    return request;
  }

 private:
  cloudai::Json answer(const cloudai::Json& request) {
    const std::string command = join(request.at("argv").get<std::vector<std::string>>(), " ");
    auto best = answers_.end();
    for (auto entry = answers_.begin(); entry != answers_.end(); ++entry) {
      const bool fits = command.rfind(entry->first, 0) == 0;
      if (fits && (best == answers_.end() || entry->first.size() > best->first.size())) best = entry;
    }
    if (best == answers_.end()) throw cloudai::Error(cloudai::Status::failed, "No answer to " + command);
    const Answer now_said = best->second.front();
    if (best->second.size() > 1) best->second.pop_front();
    cloudai::Json reply = {{"stdout", now_said.out}, {"stderr", now_said.err}, {"timed_out", now_said.timed_out}};
    if (!now_said.timed_out) reply["exit_status"] = now_said.exit_status;
    return reply;
  }

  cloudai::testing::FakeHost host_;
  std::map<std::string, std::deque<Answer>> answers_;
};

// A line of sacct in the form the module asks for.
struct Accounted {
  std::string id;
  std::string state;
  std::string exit_code = "0:0";
  std::string name = "test_tag1";
  std::string start = "2026-03-01T12:00:00";
  std::string derived = "0:0";
  std::string reason = "None";
  std::string nodes = "n[1-2]";
  std::string submit_line = "sbatch x.sh";
};
inline std::string sacct_lines(const std::vector<Accounted>& rows) {
  std::string text;
  for (const Accounted& row : rows) {
    text += join({row.id, row.id, row.state, row.exit_code, row.derived, row.start, "2026-03-01T12:10:00", "600",
                  row.nodes, row.reason, row.name, row.submit_line},
                 "\x1f") +
            "\n";
  }
  return text;
}

// One job with the id 42 and the tag tag1, submitted to a scheduler on a recorded cluster.
class SlurmTest : public ::testing::Test {
 protected:
  void open(const cloudai::Json& options = cloudai::Json::object()) {
    scheduler_.emplace(RecordedCluster::open_request(options), [this] { return cluster_.now; });
  }
  cloudai::Submitted submit(const std::string& tag = "tag1", const std::string& id = "42") {
    if (!scheduler_) open();
    if (!id.empty()) cluster_.say("sbatch", {{id + "\n"}});
    return scheduler_->submit({tag, directory(), submission()});
  }
  cloudai::Json submission() const {
    return {{"script", directory() + "/cloudai_sbatch_script.sh"},
            {"name", "test_tag1"},
            {"stages", {{{"kind", "main"}, {"name", "test"}}}}};
  }
  std::string directory() const { return directory_.path().string(); }

  // What the script of job `id` recorded: its main stage with this exit status, and its own end.
  void record(int exit_status, bool finished = true, const std::string& id = "42") {
    std::filesystem::create_directories(directory_.path() / "status");
    directory_.write("status/id", "tag=tag1\nstage.1=main test\nnodes=n[1-2]\nid=" + id + "\n");
    std::string stage = "started=1772366400000000\n";
    if (finished) {
      stage += "ended=1772366410000000\nexit_status=" + std::to_string(exit_status) +
               "\ntimed_out=no\ngate=" + (exit_status == 0 ? "open" : "closed") +
               "\nwhy=" + (exit_status == 0 ? "" : "exit status " + std::to_string(exit_status) + ", expected 0") +
               "\ncomplete\n";
      directory_.write("status/finished", "");
    }
    directory_.write("status/1", stage);
  }
  void queue(const std::string& state, const std::string& reason = "None") {
    cluster_.say("squeue", {{"42|" + state + "|n[1-2]|2026-03-01T12:00:00|N/A|" + reason + "\n"}});
  }
  void accounts(const std::vector<Accounted>& rows) { cluster_.say("sacct", {{sacct_lines(rows)}}); }
  cloudai::JobPhase phase() { return scheduler_->poll({"42"}).jobs.at(0).state; }
  // Polls once; the job must have ended then.
  cloudai::JobResult result() {
    EXPECT_EQ(phase(), cloudai::JobPhase::ended);
    return scheduler_->collect("42");
  }

  RecordedCluster cluster_;
  cloudai::testing::TemporaryDirectory directory_;
  std::optional<SlurmScheduler> scheduler_;
};

template <class Call>
cloudai::Error refusal(Call call) {
  try {
    call();
  } catch (const cloudai::Error& error) {
    return error;
  }
  return {cloudai::Status::internal, "no refusal"};
}

}  // namespace slurm::testing
