// The events of a workload, as lines of a file and as words for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/value.hpp"

namespace runai {

// created_at=… id='…' type='…' cluster_id='…' message='…' reason='…' source='…' involved_object=InvolvedObject(…): as
// the original tool writes it.
std::string event_line(const cloudai::Json& event);

// The last few warnings, "BackOff: Back-off pulling image …; Failed: …". Empty if there is none.
std::string last_warnings(const std::vector<cloudai::Json>& events);

// The exit status that one of the texts names, "exit code 3": nothing else tells it.
std::optional<int> named_exit_status(const std::vector<std::string>& texts);

}  // namespace runai
