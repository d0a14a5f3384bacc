#include "tests/runai_simulator/request_log.hpp"

#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {
namespace {

Json without_secrets(Json node) {
  if (!node.is_object()) return node;
  for (auto& [key, value] : node.items()) {
    const bool secret = lower_case(key).find("secret") != std::string::npos && value.is_string();
    if (secret) value = "***";
  }
  return node;
}

Json body_of(const HttpRequest& request) {
  if (request.body.empty()) return nullptr;
  // Whatever the client says it is.
  const auto body = parsed_body(request);
  if (!body.is_discarded()) return without_secrets(body);
  const auto type = request.headers.find("content-type");
  const bool form = type != request.headers.end() && type->second.rfind("application/x-www-form-urlencoded", 0) == 0;
  return form ? without_secrets(decode_form(request.body)) : Json(request.body);
}

}  // namespace

std::size_t RequestLog::add(const HttpRequest& request, bool authorized, Milliseconds now) {
  auto headers = request.headers;
  headers.erase("authorization");
  entries_.push_back({{"method", request.method},
                      {"path", request.path},
                      {"query", request.query},
                      {"headers", headers},
                      {"body", body_of(request)},
                      {"authorized", authorized},
                      {"status", 0},
                      {"at", now}});
  return entries_.size() - 1;
}

}  // namespace runai_simulator
