#include <algorithm>
#include <array>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <thread>

#include "tests/runai_simulator/connection.hpp"

namespace runai_simulator {
namespace {

namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;

constexpr std::size_t largest_body = 16U << 20U;

// Reads the next request; `rest` holds what was read beyond the one before. False if there is none.
bool read_request(Connection& connection, Parser& parser, std::string& rest) {
  parser.body_limit(largest_body);
  parser.eager(true);
  std::array<char, 16384> buffer{};
  while (!parser.is_done()) {
    boost::beast::error_code error;
    const auto used = rest.empty() ? 0 : parser.put(boost::asio::buffer(rest), error);
    rest.erase(0, used);
    if (parser.is_done()) break;
    if (error && error != http::error::need_more) return false;
    const auto count = connection.read(buffer.data(), buffer.size());
    if (count == 0) return false;
    rest.append(buffer.data(), count);
  }
  return true;
}

HttpRequest request_from(const Parser& parser) {
  const auto& message = parser.get();
  HttpRequest request;
  request.method = std::string(message.method_string());
  const std::string target(message.target());
  const auto question = std::min(target.find('?'), target.size());
  request.path = percent_decoded(target.substr(0, question));
  if (question < target.size()) request.query = target.substr(question + 1);
  for (const auto& field : message)
    request.headers[lower_case(std::string(field.name_string()))] = std::string(field.value());
  request.body = message.body();
  const auto upgrade = request.headers.find("upgrade");
  request.websocket = upgrade != request.headers.end() && lower_case(upgrade->second) == "websocket";
  return request;
}

std::string head_of(const Answer& answer, const std::string& date, const std::string& version) {
  const std::string reason(http::obsolete_reason(static_cast<http::status>(answer.status)));
  std::string head = version + " " + std::to_string(answer.status) + " " + reason + "\r\nServer: simulator\r\n";
  if (!date.empty()) head += "Date: " + date + "\r\n";
  if (!answer.content_type.empty()) head += "Content-Type: " + answer.content_type + "\r\n";
  for (const auto& [name, value] : answer.headers) head += name + ": " + value + "\r\n";
  return head;
}

std::string message_of(const Answer& answer, const std::string& date) {
  return head_of(answer, date, "HTTP/1.1") + "Content-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" +
         answer.body;
}

std::string chunked_message_of(const Answer& answer, const std::string& date) {
  std::string message = head_of(answer, date, "HTTP/1.1") + "Transfer-Encoding: chunked\r\nTrailer: X-Checksum\r\n\r\n";
  constexpr std::size_t chunk = 7;
  for (std::size_t at = 0; at < answer.body.size(); at += chunk) {
    const auto part = answer.body.substr(at, chunk);
    message += std::to_string(part.size()) + "\r\n" + part + "\r\n";
  }
  return message + "0\r\nX-Checksum: none\r\n\r\n";
}

void sleep_ms(std::int64_t time) {
  std::this_thread::sleep_for(std::chrono::milliseconds(time));
}

void wait_for_the_end(Connection& connection) {
  std::array<char, 4096> ignored{};
  while (connection.read(ignored.data(), ignored.size()) > 0) {
  }
}

bool write_slowly(Connection& connection, const std::string& message, const Json& parameters) {
  const auto size = std::max(parameters.value("bytes", std::size_t{1}), std::size_t{1});
  for (std::size_t at = 0; at < message.size(); at += size) {
    if (!connection.write(std::string_view(message).substr(at, size))) return false;
    sleep_ms(parameters.value("ms", 20));
  }
  return true;
}

// False if the connection is at its end.
bool deliver(Connection& connection, const Exchange& exchange) {
  const auto kind = exchange.effect ? exchange.effect->kind : "";
  const auto parameters = exchange.effect ? exchange.effect->parameters : Json::object();
  if (kind == "reset-before" || kind == "reset-after") {
    connection.reset();
    return false;
  }
  if (kind == "never" || !exchange.answer) {
    wait_for_the_end(connection);
    return false;
  }
  const auto& answer = *exchange.answer;
  if (kind == "delay") sleep_ms(parameters.value("ms", 1000));
  if (kind == "slow") return write_slowly(connection, message_of(answer, exchange.date), parameters);
  if (kind == "truncate") {
    const auto message = message_of(answer, exchange.date);
    connection.write(std::string_view(message).substr(0, message.size() - (answer.body.size() + 1) / 2));
    return false;
  }
  if (kind == "http10") {
    connection.write(head_of(answer, exchange.date, "HTTP/1.0") + "\r\n" + answer.body);
    return false;
  }
  if (kind == "chunked") return connection.write(chunked_message_of(answer, exchange.date));
  return connection.write(message_of(answer, exchange.date)) && kind != "close";
}

}  // namespace

void serve_http(Connection& connection, const Handlers& handlers) {
  std::string rest;
  bool more = true;
  while (more) {
    Parser parser;
    if (!read_request(connection, parser, rest)) break;
    const auto request = request_from(parser);
    const auto exchange = handlers.request(request);
    if (exchange.answer && !exchange.answer->log_of_workload.empty()) {
      serve_log(connection, handlers, request, exchange);
      break;
    }
    more = deliver(connection, exchange) && parser.keep_alive();
  }
  connection.close();
}

}  // namespace runai_simulator
