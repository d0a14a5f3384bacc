// What the core and a module in a child process say to each other: messages of a small JSON header and of text, which
// is passed on as it is. On the wire both are preceded by their sizes, four bytes each, least significant first.
//
//   core → child                                         child → core
//   load {id, version, interface, host_interfaces},
//     text: the manifest                                 reply {status}, text: an error document if it failed
//   call {function}, text: the request                   reply {status, …}, text: what the module wrote
//   host_reply {call, status}, text: a document          host_call {call, interface, function}, text: the request
//   cancel                                               host_notice {interface, function}, text: what it is told
//   leave                                                log {level}, text: the message
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "core/support/json.hpp"

namespace cloudai::module {

struct Message {
  Json header;  // an object with a text "type"
  std::string text;

  std::string type() const { return text_of(header, "type"); }
};

// As it goes over the wire. A header is ours, so it is valid and small.
std::string encoded(const Json& header, std::string_view text);

// Puts messages together again from what arrives.
class MessageReader {
 public:
  // A text of more than `longest_text` bytes is no message.
  explicit MessageReader(std::size_t longest_text) : longest_text_(longest_text) {}

  void append(std::string_view bytes) { buffer_.append(bytes); }

  // The next whole message, or nothing as long as it has not arrived. The error: what arrived is no message; there is
  // no way to go on from there.
  tl::expected<std::optional<Message>, std::string> next();

 private:
  std::size_t longest_text_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what was not taken yet
};

}  // namespace cloudai::module
