// The host of a module under test, with a process service that runs nothing: it answers every command as its mood has
// it. So that what a scheduler does with commands that fail or hang can be seen without a cluster.
#pragma once

#include <cstddef>

#include "cloudai/abi/host.h"
#include "cloudai/abi/host_process.h"
#include "core/support/json.hpp"

namespace cloudai::conformance {

// What comes of every command.
enum class Mood {
  silent,   // it succeeds and prints nothing
  number,   // it succeeds and prints a number, as a submission may
  garbage,  // it succeeds and prints what nobody understands
  fails,    // it ends with exit status 1
  hangs,    // it is killed at its time limit
  absent,   // there is no such program
};

const char* described(Mood mood);  // "where every command fails"

class ScriptedCluster {
 public:
  ScriptedCluster();
  ScriptedCluster(const ScriptedCluster&) = delete;
  ScriptedCluster& operator=(const ScriptedCluster&) = delete;

  const cloudai_host* host() const { return &host_; }

  void set_mood(Mood mood) { mood_ = mood; }
  // Whether a command can come to a good end in this mood.
  bool works() const { return mood_ == Mood::silent || mood_ == Mood::number || mood_ == Mood::garbage; }

  // How many commands were run, or started detached, since the last call.
  std::size_t take_command_count();

 private:
  friend struct ScriptedCalls;  // the functions behind the two structs

  Mood mood_ = Mood::silent;
  std::size_t commands_ = 0;
  cloudai_host host_{};
  cloudai_host_process_v1 processes_{};
};

}  // namespace cloudai::conformance
