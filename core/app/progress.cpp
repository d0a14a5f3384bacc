#include "core/app/progress.hpp"

#include <unistd.h>

#include "core/support/json_texts.hpp"
#include "core/support/log.hpp"
#include "core/support/terminal.hpp"
#include "core/support/time.hpp"

namespace cloudai::app {

using run::Status;

namespace {

// Often enough for the eye, seldom enough to cost nothing.
constexpr std::chrono::milliseconds redraw_interval{200};
// No terminal is wider; the rest of ten thousand names is not worth putting together.
constexpr std::size_t longest_text = 1000;

// What an event other than "finished" says of a run; nothing if it says nothing.
std::optional<Status> state_after(std::string_view event) {
  if (event == "submitting") return Status::submitting;
  if (event == "submitted") return Status::pending;
  if (event == "running") return Status::running;
  if (event == "ended") return Status::collecting;
  return std::nullopt;
}

std::optional<Status> final_state(const std::string& name) {
  for (const Status status :
       {Status::passed, Status::failed, Status::error, Status::inconclusive, Status::skipped, Status::cancelled}) {
    if (run::to_string(status) == name) return status;
  }
  return std::nullopt;
}

std::string name_of(const pipeline::Run& run) {
  const auto& test_case = *run.test_case;
  if (test_case.iterations <= 1) return test_case.id;
  return test_case.id + " (" + std::to_string(run.iteration + 1) + " of " + std::to_string(test_case.iterations) + ")";
}

}  // namespace

Progress::Progress(const std::vector<pipeline::Run>& runs) : runs_(runs), states_(runs.size(), Status::waiting) {
  for (std::size_t i = 0; i < runs.size(); ++i) index_of_[runs[i].id] = i;
  counts_[Status::waiting] = runs.size();
}

void Progress::set(std::size_t run, Status status) {
  --counts_[states_[run]];
  ++counts_[status];
  states_[run] = status;
  if (status == Status::running || status == Status::collecting) {
    running_.insert(run);
  } else {
    running_.erase(run);
  }
}

void Progress::heed(std::string_view event, const Json& fields) {
  const auto state = event == "finished" ? final_state(text_of(fields, "status")) : state_after(event);
  if (!state) return;
  std::vector<std::string> ids = texts_of(fields, "runs");
  ids.push_back(text_of(fields, "run"));
  for (const std::string& id : ids) {
    if (const auto found = index_of_.find(id); found != index_of_.end()) set(found->second, *state);
  }
}

std::string Progress::text(std::chrono::seconds elapsed) const {
  std::string ended;
  std::string open;
  std::size_t done = 0;
  for (const auto& [status, count] : counts_) {
    if (count == 0) continue;
    const std::string words = std::to_string(count) + " " + std::string(run::to_string(status));
    if (is_final(status)) {
      ended += (ended.empty() ? "" : ", ") + words;
      done += count;
    } else {
      open.insert(0, ", " + words);  // what is nearest to its end comes first
    }
  }
  std::string text = "[" + slurm_duration(elapsed) + "] " + std::to_string(done) + " of " +
                     std::to_string(runs_.size()) + " done" + (ended.empty() ? "" : " (" + ended + ")") + open;
  const auto running = counts_.find(Status::running);
  const bool any_runs = running != counts_.end() && running->second > 0;
  const char* separator = " | ";
  for (const std::size_t run : running_) {
    if (text.size() > longest_text) break;
    if (any_runs && states_[run] != Status::running) continue;
    text += separator + name_of(runs_[run]);
    separator = ", ";
  }
  return text;
}

LiveProgress::LiveProgress(const std::vector<pipeline::Run>& runs)
    : progress_(runs), started_(std::chrono::steady_clock::now()) {
  if (terminal::can_rewrite_lines(STDERR_FILENO) && log::console_level() <= spdlog::level::info) {
    thread_ = std::thread([this] { redraw_until_ended(); });
  }
}

LiveProgress::~LiveProgress() {
  end();
}

void LiveProgress::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_one();
  thread_.join();
  log::show_status({});
}

void LiveProgress::heed(std::string_view event, const Json& fields) {
  const std::lock_guard lock(mutex_);
  progress_.heed(event, fields);
}

void LiveProgress::redraw_until_ended() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    const auto elapsed = std::chrono::steady_clock::now() - started_;
    std::string text = progress_.text(std::chrono::duration_cast<std::chrono::seconds>(elapsed));
    // A terminal that takes nothing just now (Ctrl-S) must not hold up who tells of an event.
    lock.unlock();
    log::show_status(std::move(text));
    lock.lock();
    wake_.wait_for(lock, redraw_interval, [this] { return ended_; });
  }
}

}  // namespace cloudai::app
