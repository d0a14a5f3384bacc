// The logs in data/: one for each form of output that exists in the field.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "modules/workloads/nccl_test/output_parser.hpp"

namespace cloudai::nccl_test {

inline std::string log_path(const std::string& name) {
  const std::string path = std::string(NCCL_TEST_DATA) + "/" + name;
  return name.find('.') == std::string::npos ? path + ".log" : path;
}

inline std::string log_text(const std::string& name) {
  std::ifstream file(log_path(name), std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Output parsed_text(const std::string& text) {
  std::istringstream stream(text);
  return parse_output(stream);
}

inline Output parsed_log(const std::string& name) {
  return parsed_text(log_text(name));
}

}  // namespace cloudai::nccl_test
