// The output of a workload in a file, put together from connections that each tell it from its beginning, or from
// where the server still has it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace runai {

class LogText {
 public:
  // Begins an empty file. `trouble` says if that cannot be done.
  explicit LogText(std::filesystem::path file);

  // A new connection, which may tell again what is there already.
  void begin();
  // What comes, cut anywhere. Only what is not in the file yet is added.
  void add(std::string_view text);
  // The connection has ended: what could not be placed yet is.
  void end();

  std::uint64_t size() const { return size_; }
  // Whether a connection told something that does not join on to what was there: something between may be missing.
  bool has_gap() const { return has_gap_; }
  const std::string& trouble() const { return trouble_; }

 private:
  enum class Mode {
    appending,
    comparing,  // the same from the beginning, so far
    placing     // it begins elsewhere: where is to be found
  };
  void append(std::string_view text);
  void compare(std::string_view text);
  void place(bool is_all);
  std::string read(std::uint64_t begin, std::uint64_t count) const;

  std::filesystem::path file_;
  std::ofstream stream_;
  std::uint64_t size_ = 0;
  Mode mode_ = Mode::appending;
  std::uint64_t compared_ = 0;
  std::string unplaced_;
  bool has_gap_ = false;
  std::string trouble_;
};

}  // namespace runai
