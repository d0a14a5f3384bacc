// What a child writes to stdout or stderr, line by line in the log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/module/descriptor.hpp"

namespace cloudai::module {

// Long lines are cut, control characters neutralised, and a module that writes without end is not listened to for ever.
class LineLog {
 public:
  // `stream` is "stdout" or "stderr"; `pipe` does not block.
  LineLog(Descriptor pipe, std::string module_id, std::string stream);

  int descriptor() const { return pipe_.get(); }  // -1 once nobody writes to it any more
  void drain();                                   // takes what is there now
  void finish();                                  // the same, and a last line that has no end

 private:
  void take(std::string_view text);
  void write_line();

  Descriptor pipe_;
  std::string speaker_;
  std::string line_;
  bool is_cut_ = false;
  std::size_t written_ = 0;
};

}  // namespace cloudai::module
