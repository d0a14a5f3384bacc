// Write a scheduler: derive from Scheduler and export the class (cloudai/module.hpp).
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloudai/documents/scheduler.hpp"
#include "cloudai/error.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// One system. A class derived from it has a constructor that takes a const OpenRequest& and throws what keeps the
// system from being used. Calls on an object come one after the other, not always from the same thread.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  virtual ~Scheduler() = default;

  // What the system is. Asked once, right after the construction.
  virtual Facts facts() const = 0;

  // Looks a program up in PATH and a file where it should be; anything else is Error(unsupported).
  virtual Provisioned provision(const ProvisionRequest& request);

  // Nodes for a job, or the reason to wait for them. An impossible request is Error(invalid_config).
  virtual Allocation allocate(const AllocateRequest& request) = 0;

  // Pure: the same job on the same facts gives the same bytes. Writes nothing; the core writes the files.
  virtual Rendering render(const Job& job) const = 0;

  // Returns when the job is accepted, not when it ends.
  virtual Submitted submit(const SubmitRequest& request) = 0;

  // One entry an id. The number of commands it runs does not grow with the number of ids. A query that fails is
  // Error(unavailable), never a job's state.
  virtual States poll(const std::vector<std::string>& ids) = 0;

  // Asks for the end of the jobs, waits a bounded time, and says which it could not end.
  virtual std::vector<NotCancelled> cancel(const std::vector<std::string>& ids) = 0;

  // Ends the main stage of the jobs alone: their epilogues still run, and a main stage that has not started never does.
  // Called only of a scheduler whose manifest has the capability "end_main".
  virtual std::vector<NotCancelled> end_main(const std::vector<std::string>& ids);

  // The final word on an ended job, with every stage.
  virtual JobResult collect(const std::string& id) = 0;

  // The id of the job that carries this tag, if there is one.
  virtual std::optional<std::string> find(const FindRequest& request) = 0;
};

// The path of the executable file a shell would run for `name`, or nothing.
inline std::optional<std::string> find_program(const std::string& name) {
  const auto is_program = [](const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional(name) : std::nullopt;
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? std::string_view() : variable;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string directory(rest.substr(0, end));
    const std::string path = (directory.empty() ? "." : directory) + "/" + name;
    if (is_program(path)) return path;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return std::nullopt;
}

inline Provisioned Scheduler::provision(const ProvisionRequest& request) {
  const Requirement& item = request.item;
  if (item.kind == "program") {
    if (const auto path = find_program(item.name)) return {true, *path, {}};
    return {false, {}, "The program '" + item.name + "' is not in PATH."};
  }
  if (item.kind == "file") {
    if (::access(item.path.c_str(), R_OK) == 0) return {true, item.path, {}};
    return {false, {}, "The file '" + item.path + "' does not exist or cannot be read."};
  }
  throw Error(Status::unsupported, "This scheduler cannot provide a " + item.kind + " ('" + item.id + "').");
}

inline std::vector<NotCancelled> Scheduler::end_main(const std::vector<std::string>&) {
  throw Error(Status::unsupported, "This scheduler cannot end the main stage of a job alone.");
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
