#include "core/module/message.hpp"

#include <cstdint>

#include "core/module/document_text.hpp"

namespace cloudai::module {
namespace {

constexpr std::size_t size_bytes = 4;
constexpr std::size_t longest_header = std::size_t{64} << 10;

void append_size(std::string& text, std::size_t size) {
  for (unsigned shift = 0; shift < 32; shift += 8) text += static_cast<char>((size >> shift) & 0xffU);
}

std::size_t size_at(std::string_view text) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) size |= std::size_t{static_cast<unsigned char>(text[i])} << (8 * i);
  return size;
}

}  // namespace

std::string encoded(const Json& header, std::string_view text) {
  const std::string head = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string result;
  result.reserve(2 * size_bytes + head.size() + text.size());
  append_size(result, head.size());
  append_size(result, text.size());
  return result.append(head).append(text);
}

tl::expected<std::optional<Message>, std::string> MessageReader::next() {
  const std::string_view rest = std::string_view(buffer_).substr(begin_);
  if (rest.size() < 2 * size_bytes) return std::nullopt;
  const std::size_t header_size = size_at(rest);
  const std::size_t text_size = size_at(rest.substr(size_bytes));
  if (header_size > longest_header || text_size > longest_text_) return tl::make_unexpected(std::string("is too long"));
  if (rest.size() - 2 * size_bytes < header_size + text_size) return std::nullopt;
  auto header = parse_document(rest.substr(2 * size_bytes, header_size));
  if (!header) return tl::make_unexpected(std::move(header.error()));
  Message message{std::move(*header), std::string(rest.substr(2 * size_bytes + header_size, text_size))};
  if (message.type().empty()) return tl::make_unexpected(std::string("has no type"));
  begin_ += 2 * size_bytes + header_size + text_size;
  if (begin_ == buffer_.size() || begin_ > longest_header) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  return message;
}

}  // namespace cloudai::module
