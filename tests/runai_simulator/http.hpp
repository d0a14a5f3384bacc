// Requests and answers as values, for all that does not care how they travel.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace runai_simulator {

using Json = nlohmann::json;

struct HttpRequest {
  std::string method;
  std::string path;                            // decoded
  std::string query;                           // encoded
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  bool websocket = false;  // asks for an upgrade
};

struct Answer {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  // Of a request that asks for it and may have it: this workload's log follows on a WebSocket.
  std::string log_of_workload;
};

Answer json_answer(int status, const Json& body);
// The error body of the API, by default with the message that goes with the status.
Answer error_answer(int status, const std::string& message = "", const std::string& details = "");

// Nothing if the body is no JSON.
Json parsed_body(const HttpRequest& request);

}  // namespace runai_simulator
