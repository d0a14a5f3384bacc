#include "core/run/stage_gate.hpp"

#include "cloudai/text_in_file.hpp"

namespace cloudai::run {

namespace {

std::optional<std::string> wrong_end(const Json& success, const Json& result) {
  if (text_of(result, "state") != "ended") return "how it ended is not known";
  if (result.value("timed_out", Json()) == Json(true)) return "its time limit has passed";
  const Json expected = success.value("exit_status", Json(0));
  const Json found = result.value("exit_status", Json());
  if (found == expected) return std::nullopt;
  if (found.is_number()) return "exit status " + found.dump() + ", expected " + expected.dump();
  const Json signal = result.value("signal", Json());
  return signal.is_number() ? "signal " + signal.dump() + " ended it" : "its exit status is not known";
}

// Of the texts in the list `key` of the rule, the first that is not there, or is, where it should be otherwise.
std::optional<std::string> wrong_text(const Json& success, const char* key, bool must_be_there,
                                      const std::filesystem::path& directory) {
  const auto list = success.find(key);
  if (list == success.end() || !list->is_array()) return std::nullopt;
  for (const Json& expected : *list) {
    const std::string file = text_of(expected, "file");
    const std::string text = text_of(expected, "text");
    if (file_holds(directory / file, text) == must_be_there) continue;
    return file + (must_be_there ? " does not contain '" : " contains '") + text + "'";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_gate_is_closed(const Json& success, const Json& result,
                                              const std::filesystem::path& directory) {
  if (auto why = wrong_end(success, result)) return why;
  if (auto why = wrong_text(success, "must_contain", true, directory)) return why;
  return wrong_text(success, "must_not_contain", false, directory);
}

}  // namespace cloudai::run
