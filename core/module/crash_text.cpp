#include "core/module/crash_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace cloudai::module {
namespace {

std::string name_of_signal(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : fmt::format("signal {}", signal);
}

// Those a process brings upon itself.
bool is_crash(int signal) {
  constexpr std::array<int, 8> crashes{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGSTKFLT};
  return std::find(crashes.begin(), crashes.end(), signal) != crashes.end();
}

std::string text_of(std::chrono::milliseconds time) {
  if (time.count() % 1000 != 0) return fmt::format("{} ms", time.count());
  const auto seconds = time.count() / 1000;
  if (seconds % 3600 == 0) return fmt::format("{} h", seconds / 3600);
  return seconds % 60 == 0 && seconds > 60 ? fmt::format("{} min", seconds / 60) : fmt::format("{} s", seconds);
}

std::string run_of(const Json& request) {
  using cloudai::text_of;
  const std::string name = text_of(request, "case");
  const auto iteration = request.find("iteration");
  if (!name.empty() && iteration != request.end() && iteration->is_number_integer()) {
    return fmt::format("run {}/{}", name, iteration->get<std::int64_t>());
  }
  const auto runs = request.find("runs");
  if (runs == request.end() || !runs->is_array() || runs->size() != 1) return {};
  const std::string id = text_of(runs->front(), "id");
  return id.empty() ? std::string() : "run " + id;
}

}  // namespace

std::string place_of_call(std::string_view function, const Json& request) {
  std::string place = fmt::format("in {}()", function);
  if (!request.is_object()) return place;
  const std::string run = run_of(request);
  if (run.empty()) return place;
  if (const auto stage = request.find("stage"); stage != request.end()) {
    const std::string kind = cloudai::text_of(*stage, "kind");
    if (!kind.empty() && kind != "main") place += " of " + kind + " " + cloudai::text_of(*stage, "name");
  }
  return place + " of " + run;
}

Error crash_error(const std::string& module, const std::string& place, const ChildEnd& end,
                  std::chrono::milliseconds limit) {
  Error error{ErrorKind::module_crashed, {}, {}};
  switch (end.kind) {
    case ChildEnd::Kind::signalled:
      error.message = fmt::format("{} {} ({}) {}.", module, is_crash(end.number) ? "crashed" : "was killed",
                                  name_of_signal(end.number), place);
      if (end.number == SIGKILL) error.hint = "Somebody killed its process, or the kernel did for want of memory.";
      break;
    case ChildEnd::Kind::exited:
      error.message = fmt::format("{} ended its process with exit status {} {}, which no module may do.", module,
                                  end.number, place);
      break;
    case ChildEnd::Kind::overdue:
      error.message =
          fmt::format("{} had not come back after {} {}; its process was killed.", module, text_of(limit), place);
      break;
    case ChildEnd::Kind::garbage:
      error.message = fmt::format(
          "{} sent what is no message over the connection to cloudai {}; its process was killed.", module, place);
      break;
    case ChildEnd::Kind::disconnected:
      error.message = fmt::format("{} closed the connection to cloudai {}; its process was killed.", module, place);
      break;
  }
  return error;
}

}  // namespace cloudai::module
