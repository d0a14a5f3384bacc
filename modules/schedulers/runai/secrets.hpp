// What must not be shown: the application's secret and every token.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace runai {

// From any thread.
class Secrets {
 public:
  void add(std::string secret);
  // `text` with "redacted" in the place of each secret, as it is or encoded as a server may quote it.
  std::string hide(std::string text) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> secrets_;
};

// What a server says of a request that it refuses: the message, details and violated policies of its document, or the
// text of another one, on one line, without secrets, at most about a kilobyte.
std::string server_message(const std::string& body, const Secrets& secrets);

}  // namespace runai
