// A stream of any length that needs the memory of one piece of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <streambuf>
#include <string>
#include <utility>

namespace cloudai::nccl_test {

// `bytes` of text: `piece`, again and again.
class RepeatedText : public std::streambuf {
 public:
  RepeatedText(std::string piece, std::size_t bytes) : piece_(std::move(piece)), left_(bytes) {}

 protected:
  int_type underflow() override {
    if (left_ == 0) return traits_type::eof();
    const std::size_t size = std::min(left_, piece_.size());
    left_ -= size;
    setg(piece_.data(), piece_.data(), piece_.data() + size);
    return traits_type::to_int_type(piece_[0]);
  }

 private:
  std::string piece_;
  std::size_t left_;
};

}  // namespace cloudai::nccl_test
