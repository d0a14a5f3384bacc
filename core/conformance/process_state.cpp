#include "core/conformance/process_state.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

unsigned current_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

std::vector<std::string> signal_states() {
  std::vector<std::string> states;
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0) continue;
    const char* name = ::sigabbrev_np(number);
    states.push_back(fmt::format("{} {} {:x} {}", name != nullptr ? "SIG" + std::string(name) : std::to_string(number),
                                 fmt::ptr(reinterpret_cast<const void*>(action.sa_handler)), action.sa_flags,
                                 ::sigismember(&blocked, number) == 1 ? "blocked" : "open"));
  }
  return states;
}

std::vector<std::string> open_descriptors() {
  std::vector<std::string> descriptors;
  std::error_code failed;
  for (fs::directory_iterator entry("/proc/self/fd", failed), end; !failed && entry != end; entry.increment(failed)) {
    const fs::path target = fs::read_symlink(entry->path(), failed);
    // The one that lists them is among them.
    if (target.string().find("/proc/") != 0)
      descriptors.push_back(entry->path().filename().string() + " → " + target.string());
  }
  std::sort(descriptors.begin(), descriptors.end());
  return descriptors;
}

// Those of `all` that are not in `others`; both are sorted.
std::vector<std::string> only_in(const std::vector<std::string>& all, const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  std::set_difference(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest;
}

std::string first_word(const std::string& text) {
  return text.substr(0, text.find_first_of(" ="));
}

}  // namespace

ProcessState process_state() {
  std::error_code ignored;
  ProcessState state;
  state.directory = fs::current_path(ignored).string();
  state.locale = std::setlocale(LC_ALL, nullptr);
  state.umask = current_umask();
  for (char** variable = environ; *variable != nullptr; ++variable) state.environment.emplace_back(*variable);
  std::sort(state.environment.begin(), state.environment.end());
  state.signals = signal_states();
  state.descriptors = open_descriptors();
  return state;
}

std::vector<std::string> differences(const ProcessState& before, const ProcessState& after) {
  std::vector<std::string> found;
  if (before.directory != after.directory) {
    found.push_back(fmt::format("It changes the working directory, to '{}'.", after.directory));
  }
  if (before.locale != after.locale) found.push_back(fmt::format("It changes the locale, to '{}'.", after.locale));
  if (before.umask != after.umask) found.push_back(fmt::format("It changes the umask, to {:04o}.", after.umask));
  std::vector<std::string> names;
  for (const auto& side :
       {only_in(after.environment, before.environment), only_in(before.environment, after.environment)}) {
    for (const std::string& variable : side) names.push_back(first_word(variable));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) found.push_back(fmt::format("It changes the environment variable '{}'.", name));
  for (std::size_t i = 0; i < std::min(before.signals.size(), after.signals.size()); ++i) {
    if (before.signals[i] == after.signals[i]) continue;
    found.push_back(fmt::format("It changes what is done with {}.", first_word(after.signals[i])));
  }
  for (const std::string& descriptor : only_in(after.descriptors, before.descriptors)) {
    found.push_back(fmt::format("It leaves the descriptor {} open.", descriptor));
  }
  for (const std::string& descriptor : only_in(before.descriptors, after.descriptors)) {
    found.push_back(fmt::format("It closes the descriptor {}, which is not its own.", descriptor));
  }
  return found;
}

}  // namespace cloudai::conformance
