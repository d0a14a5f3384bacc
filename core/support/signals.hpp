// Signals outside of a test run, which has its own way to heed them.
#pragma once

namespace cloudai {

// From now on SIGINT, SIGTERM, SIGQUIT and SIGHUP end the program with exit status 128 + n and a sentence on stderr. A
// signal that is ignored stays ignored.
void leave_on_signals();

}  // namespace cloudai
