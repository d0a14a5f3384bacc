// One request over plain HTTP: enough to control a simulator, and to look at its API as its own tests do.
#pragma once

#include <map>
#include <string>

namespace runai_simulator {

struct HttpResult {
  int status = 0;                              // 0: the connection ended without an answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string raw;  // all that came
};

// To `url`, e.g. http://127.0.0.1:8080, on a connection of its own. Throws if there is none.
HttpResult http_call(const std::string& url, const std::string& method, const std::string& target,
                     const std::string& body = "", const std::map<std::string, std::string>& headers = {});

}  // namespace runai_simulator
