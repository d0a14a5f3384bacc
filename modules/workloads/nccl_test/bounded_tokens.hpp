// Lets a JSON parser read a stream that nobody vouches for.
#pragma once

#include <cstddef>
#include <streambuf>

namespace cloudai::nccl_test {

// Passes the bytes of `source` on and ends within a text, number or blank that is longer than any real one: a parser
// keeps each of them in memory as a whole.
class BoundedTokens : public std::streambuf {
 public:
  explicit BoundedTokens(std::streambuf& source) : source_(source) {}

 protected:
  int_type underflow() override {
    constexpr std::size_t longest_token = 65536;
    const int_type next = source_.sbumpc();
    if (next == traits_type::eof() || length_ > longest_token) return traits_type::eof();
    byte_ = traits_type::to_char_type(next);
    follow();
    setg(&byte_, &byte_, &byte_ + 1);
    return next;
  }

 private:
  void follow() {
    ++length_;
    if (in_text_) {
      const bool closes = byte_ == '"' && !escaped_;
      escaped_ = byte_ == '\\' && !escaped_;
      if (!closes) return;
      in_text_ = false;
      length_ = 0;
    } else if (byte_ == '"') {
      in_text_ = true;
    } else if (byte_ == ',' || byte_ == ':' || byte_ == '{' || byte_ == '}' || byte_ == '[' || byte_ == ']') {
      length_ = 0;
    }
  }

  std::streambuf& source_;
  char byte_ = 0;
  std::size_t length_ = 0;
  bool in_text_ = false;
  bool escaped_ = false;
};

}  // namespace cloudai::nccl_test
