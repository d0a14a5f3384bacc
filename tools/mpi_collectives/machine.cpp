#include "tools/mpi_collectives/machine.hpp"

#include <sys/utsname.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <string_view>

namespace mpi_collectives {

namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The value of the first "key : value" line of a file of /proc, or "".
std::string value_in(const char* file, std::string_view key) {
  std::ifstream input(file);
  std::string line;
  while (std::getline(input, line)) {
    const auto colon = line.find(':');
    if (colon != std::string::npos && trimmed(line.substr(0, colon)) == key) return trimmed(line.substr(colon + 1));
  }
  return "";
}

utsname system_names() {
  utsname names{};
  uname(&names);
  return names;
}

}  // namespace

std::string cpu_model() {
  const std::string model = value_in("/proc/cpuinfo", "model name");
  return model.empty() ? std::string(system_names().machine) + " CPU" : model;
}

std::string short_host_name() {
  const std::string name = system_names().nodename;
  return name.substr(0, name.find('.'));
}

std::size_t available_memory() {
  const std::string kibibytes = value_in("/proc/meminfo", "MemAvailable");
  if (kibibytes.empty()) return std::numeric_limits<std::size_t>::max();
  return std::stoull(kibibytes) * 1024;
}

}  // namespace mpi_collectives
