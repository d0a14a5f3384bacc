#include "tests/runai_simulator/http.hpp"

namespace runai_simulator {
namespace {

std::string usual_message(int status) {
  static const std::map<int, std::string> messages{
      {400, "Required parameter is missing"},
      {401, "Issuer is not familiar."},
      {403, "You do not have sufficient permissions."},
      {404, "Resource id not found."},
      {409, "Resource with this name already exists"},
      {429, "Too many requests"},
      {500, "Something went wrong."},
      {502, "Bad gateway"},
      {503, "Please try again in few minutes."},
      {504, "Gateway timeout"},
  };
  const auto found = messages.find(status);
  return found == messages.end() ? "Status " + std::to_string(status) : found->second;
}

}  // namespace

Answer json_answer(int status, const Json& body) {
  Answer answer;
  answer.status = status;
  answer.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  return answer;
}

Answer error_answer(int status, const std::string& message, const std::string& details) {
  Json body{{"code", status}, {"message", message.empty() ? usual_message(status) : message}};
  if (!details.empty()) body["details"] = details;
  return json_answer(status, body);
}

Json parsed_body(const HttpRequest& request) {
  return Json::parse(request.body, nullptr, false);
}

}  // namespace runai_simulator
