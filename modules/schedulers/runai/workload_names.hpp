// Names of workloads: valid ones, from any text, that end with the job's tag.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace runai {

// A name of lower-case letters, digits and single hyphens that starts with a letter, has at most 34 characters and ends
// in "-<tag>": pods, whose names become host names, put more behind it. Two jobs have two tags, and so two names.
std::string workload_name(std::string_view job_name, std::string_view tag);

// Another for the same job, for where the first is taken by something else.
std::string other_workload_name(std::string_view name, std::string_view tag);

// The longest text that all of the names begin with.
std::string common_prefix(const std::vector<std::string>& names);

}  // namespace runai
