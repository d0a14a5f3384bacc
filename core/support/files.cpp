#include "core/support/files.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace cloudai::files {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string system_message() {
  return std::generic_category().message(errno);
}

tl::unexpected<Error> cannot(const char* verb, const std::filesystem::path& path, const std::string& why) {
  return trouble("cannot " + std::string(verb) + " '" + path.string() + "': " + why + ".");
}

tl::unexpected<Error> too_large(const std::filesystem::path& path, std::size_t limit) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  const std::string shown =
      limit % mebibyte == 0 ? std::to_string(limit / mebibyte) + " MiB" : std::to_string(limit) + " bytes";
  return cannot("read", path, "it is larger than " + shown);
}

// Calls `use` with each piece of the file, which may grow meanwhile.
template <class Use>
Result<void> read_pieces(const std::filesystem::path& path, std::size_t limit, Use use) {
  // Non-blocking, so that opening a FIFO does not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return cannot("read", path, system_message());
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return cannot("read", path, system_message());
  if (S_ISDIR(status.st_mode)) return cannot("read", path, "it is a directory");
  if (!S_ISREG(status.st_mode)) return cannot("read", path, "it is not a regular file");
  if (static_cast<std::size_t>(status.st_size) > limit) return too_large(path, limit);
  std::array<char, 65536> buffer;
  std::size_t total = 0;
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot("read", path, system_message());
    if (count == 0) return {};
    total += static_cast<std::size_t>(count);
    if (total > limit) return too_large(path, limit);
    use(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  }
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(std::string_view piece) { EVP_DigestUpdate(context_.get(), piece.data(), piece.size()); }
  std::string finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
      text += digits[digest[i] >> 4U];
      text += digits[digest[i] & 15U];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

Result<std::string> read(const std::filesystem::path& path, std::size_t limit) {
  std::string content;
  if (auto done = read_pieces(path, limit, [&](std::string_view piece) { content += piece; }); !done) {
    return tl::make_unexpected(done.error());
  }
  return content;
}

Result<void> write(const std::filesystem::path& path, std::string_view content, unsigned mode) {
  std::filesystem::path beside = path;
  beside += ".part";
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) return cannot("write", path, system_message());
  bool good = ::fchmod(fd, mode) == 0 && write_all(fd, content);
  int why = good ? 0 : errno;
  // On a network file system a full disk may show only here.
  if (::close(fd) != 0 && good) {
    good = false;
    why = errno;
  }
  if (good && ::rename(beside.c_str(), path.c_str()) != 0) {
    good = false;
    why = errno;
  }
  if (good) return {};
  ::unlink(beside.c_str());
  errno = why;
  return cannot("write", path, system_message());
}

bool leads_inside(const std::filesystem::path& directory, const std::filesystem::path& relative) {
  const bool climbs =
      std::any_of(relative.begin(), relative.end(), [](const std::filesystem::path& part) { return part == ".."; });
  if (relative.empty() || relative.is_absolute() || climbs ||
      relative.native().find('\0') != std::filesystem::path::string_type::npos)
    return false;
  std::error_code no_root;
  std::error_code no_target;
  const std::filesystem::path root = std::filesystem::weakly_canonical(directory, no_root);
  const std::filesystem::path target = std::filesystem::weakly_canonical(directory / relative, no_target);
  const std::filesystem::path inside = target.lexically_relative(root);
  return !no_root && !no_target && !inside.empty() && *inside.begin() != "..";
}

tl::unexpected<Error> damaged(const std::filesystem::path& path, const std::string& how) {
  return trouble("'" + path.string() + "' is damaged: " + how + ".");
}

Result<std::string> sha256(const std::filesystem::path& path) {
  Sha256 hash;
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  if (auto done = read_pieces(path, no_limit, [&](std::string_view piece) { hash.add(piece); }); !done) {
    return tl::make_unexpected(done.error());
  }
  return hash.finish();
}

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.finish();
}

}  // namespace cloudai::files
