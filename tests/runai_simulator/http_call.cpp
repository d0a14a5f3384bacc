#include "tests/runai_simulator/http_call.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <stdexcept>

namespace runai_simulator {
namespace {

class Socket {
 public:
  explicit Socket(const std::string& url) {
    const auto port = std::stoi(url.substr(url.rfind(':') + 1));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ::close(descriptor_);
      throw std::runtime_error("nobody listens at " + url);
    }
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void send(const std::string& text) const {
    std::size_t sent = 0;
    while (sent < text.size()) {
      const auto count = ::send(descriptor_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<std::size_t>(count);
    }
  }
  std::string receive_all() const {
    std::string text;
    std::array<char, 65536> buffer{};
    for (auto count = ::recv(descriptor_, buffer.data(), buffer.size(), 0); count > 0;
         count = ::recv(descriptor_, buffer.data(), buffer.size(), 0)) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int descriptor_ = -1;
};

HttpResult parsed(const std::string& raw) {
  HttpResult result;
  result.raw = raw;
  const auto end = raw.find("\r\n\r\n");
  if (raw.rfind("HTTP/", 0) != 0 || end == std::string::npos) return result;
  result.status = std::stoi(raw.substr(raw.find(' ') + 1));
  result.body = raw.substr(end + 4);
  for (auto at = raw.find("\r\n") + 2; at < end;) {
    const auto line = raw.substr(at, raw.find("\r\n", at) - at);
    auto name = line.substr(0, line.find(':'));
    for (auto& character : name) character = static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    result.headers[name] = line.substr(line.find(':') + 2);
    at += line.size() + 2;
  }
  return result;
}

}  // namespace

HttpResult http_call(const std::string& url, const std::string& method, const std::string& target,
                     const std::string& body, const std::map<std::string, std::string>& headers) {
  const Socket socket(url);
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
  for (const auto& [name, value] : headers) text += std::string(name).append(": ").append(value).append("\r\n");
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  if (!body.empty() && headers.count("Content-Type") == 0) text += "Content-Type: application/json\r\n";
  socket.send(text + "\r\n" + body);
  return parsed(socket.receive_all());
}

}  // namespace runai_simulator
