#include "core/conformance/child_check.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <system_error>

#include "core/support/files.hpp"
#include "core/support/json.hpp"

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

const char* word_for(Verdict verdict) {
  return verdict == Verdict::ok ? "ok" : verdict == Verdict::failed ? "failed" : "skipped";
}

// One file, open from the start, since a check counts descriptors.
class Doing {
 public:
  explicit Doing(const fs::path& path)
      : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {}
  ~Doing() { ::close(descriptor_); }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

  void write(const std::string& what) const {
    const bool is_cut = ::ftruncate(descriptor_, 0) == 0;
    const bool is_written = is_cut && ::pwrite(descriptor_, what.data(), what.size(), 0) >= 0;
    static_cast<void>(is_written);  // what is lost here is a part of a sentence
  }

 private:
  int descriptor_;
};

}  // namespace

void run_in_this_process(const Check& check, const fs::path& file, const fs::path& directory) {
  // Whoever waits for the report is gone: so is the check.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const Doing doing(directory / doing_file);
  const fs::path work = directory / "work";
  std::error_code failed;
  fs::create_directory(work, failed);
  Findings findings;
  check.run({file, work, [&doing](const std::string& what) { doing.write(what); }}, findings);
  doing.write("the end of the process");
  const Json report = {{"verdict", word_for(findings.verdict())}, {"sentences", findings.sentences()}};
  const auto written =
      files::write(directory / report_file, report.dump(-1, ' ', false, Json::error_handler_t::replace));
  static_cast<void>(written);  // the parent says that there is none
}

}  // namespace cloudai::conformance
