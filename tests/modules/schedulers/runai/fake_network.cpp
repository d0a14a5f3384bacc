// The network for tests that have none: what connection.hpp and web_socket.hpp declare.
#include "connection.hpp"
#include "web_socket.hpp"

namespace runai {

struct TrustedCertificates::Context {};
TrustedCertificates::TrustedCertificates(const std::string&) {}
TrustedCertificates::~TrustedCertificates() = default;

WebSocketEnd listen(TrustedCertificates&, const WebSocketRequest&, const std::function<void(std::string_view)>&,
                    const std::function<bool()>&) {
  return {WebSocketEnd::Kind::refused, 404, "status 404"};
}

}  // namespace runai
