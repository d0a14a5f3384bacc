// A careful client of the simulator: TLS verified against its CA, and WebSockets by a library that follows the
// standard.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace runai_simulator {

struct LogMessage {
  std::string payload;
  bool binary = false;
};

struct ReceivedLog {
  std::vector<LogMessage> messages;
  int pings = 0;
  int close_code = 0;  // 0: it ended without a close frame
  std::string error;   // why it ended, if not by a close frame; or why it did not begin
  std::string text() const;
};

// Reads the log at `target` until the stream ends. `url` is https://host:port.
ReceivedLog receive_log(const std::string& url, const std::filesystem::path& ca_file, const std::string& target,
                        const std::string& token);

// Why no TLS connection comes about; empty if one does.
std::string tls_refusal(const std::string& url, const std::filesystem::path& ca_file);

}  // namespace runai_simulator
