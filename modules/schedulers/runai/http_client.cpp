#include "http_client.hpp"

#include <algorithm>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cctype>

#include "cloudai/host.hpp"

namespace runai {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using std::chrono::steady_clock;

constexpr std::uint32_t header_limit = 64U << 10U;

http::request<http::string_body> beast_request(const HttpRequest& request) {
  http::request<http::string_body> message;
  message.method_string(request.method);
  message.target(request.target);
  message.version(11);
  message.set(http::field::host, authority(request.server));
  message.set(http::field::user_agent, "cloudai");
  message.set(http::field::connection, "close");
  for (const auto& [name, value] : request.headers) message.set(name, value);
  message.body() = request.body;
  if (!request.body.empty() || request.method != "GET") message.prepare_payload();
  return message;
}

HttpReply reply_of(http::response<http::string_body>&& message) {
  HttpReply reply;
  reply.status = static_cast<int>(message.result_int());
  for (const auto& field : message) {
    std::string name(field.name_string());
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    reply.headers[name] = std::string(field.value());
  }
  reply.body = std::move(message.body());
  return reply;
}

HttpFailure failure_of(const boost::system::error_code& error, const HttpRequest& request) {
  using Kind = HttpFailure::Kind;
  if (stop_of(request.patience)()) return {Kind::cancelled, "the request was ended"};
  if (error == http::error::body_limit || error == http::error::header_limit) {
    return {Kind::too_large, "the reply is larger than " + std::to_string(request.body_limit >> 20U) + " MiB"};
  }
  if (error == http::error::partial_message) return {Kind::broken, "the reply ends in the middle"};
  if (error == http::error::end_of_stream) return {Kind::broken, "the server ended the connection without a reply"};
  return {Kind::broken, described(error)};
}

}  // namespace

Connection::Stop stop_of(const Patience& patience) {
  return [patience] {
    return (patience.heeds_cancellation && cloudai::host().is_cancelled()) || steady_clock::now() >= patience.until;
  };
}

HttpResult HttpClient::send(const HttpRequest& request) {
  const SteadyTime deadline = std::min(steady_clock::now() + request.limit, request.patience.until);
  Connection connection(trusted_, stop_of(request.patience));
  if (auto failure = connection.open(request.server, deadline)) return *failure;
  connection.set_deadline(deadline);
  boost::system::error_code error;
  const auto message = beast_request(request);
  http::write(connection, message, error);
  // A server may answer, and hang up, before it has read everything.
  const auto write_error = error;
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(request.body_limit);
  parser.header_limit(header_limit);
  http::read(connection, buffer, parser, error);
  if (error) return failure_of(write_error ? write_error : error, request);
  return reply_of(parser.release());
}

}  // namespace runai
