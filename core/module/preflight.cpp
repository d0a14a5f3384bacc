#include "core/module/preflight.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "core/module/manifest.hpp"

namespace cloudai::module {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  // Non-blocking, or the open of a FIFO waits for a writer that never comes.
  explicit Descriptor(const fs::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

std::string system_text(int error) {
  return std::generic_category().message(error);
}

std::string why_not_opened(const fs::path& path, int error) {
  std::error_code failed;
  const fs::path target = fs::read_symlink(path, failed);
  if (error == ENOENT && !failed) return fmt::format("is a link to {}, which does not exist.", target.string());
  return fmt::format("cannot be opened: {}.", system_text(error));
}

std::string_view type_name(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "something else";
}

std::optional<std::string> untrusted_owner(const struct stat& status) {
  if (status.st_uid == 0 || status.st_uid == ::geteuid()) return std::nullopt;
  return fmt::format("belongs to user {}, neither to root nor to you", status.st_uid);
}

bool others_may_write(const struct stat& status) {
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

std::optional<std::string> untrusted_file(const fs::path& path, const struct stat& status) {
  if (auto owner = untrusted_owner(status)) return *owner + ". Change its owner.";
  if (!others_may_write(status)) return std::nullopt;
  return fmt::format("can be changed by its group or by others (mode {:04o}). Run: chmod go-w {}",
                     status.st_mode & 07777U, path.string());
}

// In a sticky directory others may write, but not replace what is ours.
std::optional<std::string> untrusted_directory(const fs::path& directory) {
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) {
    return fmt::format("lies in {}, which cannot be looked at: {}.", directory.string(), system_text(errno));
  }
  if (auto owner = untrusted_owner(status)) {
    return fmt::format("lies in {}, which {}. Change its owner.", directory.string(), *owner);
  }
  if (!others_may_write(status) || (status.st_mode & S_ISVTX) != 0) return std::nullopt;
  return fmt::format("lies in {}, which its group or others can change (mode {:04o}). Run: chmod go-w {}",
                     directory.string(), status.st_mode & 07777U, directory.string());
}

std::optional<std::string> untrusted_parent(const fs::path& file) {
  for (fs::path directory = file.parent_path();; directory = directory.parent_path()) {
    if (auto reason = untrusted_directory(directory)) return reason;
    if (directory == directory.root_path()) return std::nullopt;
  }
}

// The directories of the link and those of what it leads to: whoever can change one of them decides what is loaded.
std::optional<std::string> untrusted_place(const fs::path& path) {
  std::error_code failed;
  const fs::path link_directory = fs::canonical(fs::absolute(path).parent_path(), failed);
  const fs::path file = failed ? fs::path() : fs::canonical(path, failed);
  if (failed) return fmt::format("cannot be opened: {}.", failed.message());
  if (auto reason = untrusted_parent(link_directory / path.filename())) return reason;
  return file.parent_path() == link_directory ? std::nullopt : untrusted_parent(file);
}

IgnoredFile broken_file(const fs::path& path, std::string_view why) {
  return {path, fmt::format("{} {}", path.string(), why), Ignored::broken};
}

}  // namespace

tl::expected<ElfFile, IgnoredFile> preflight_file(const fs::path& path) {
  const auto broken = [&](std::string_view why) { return tl::make_unexpected(broken_file(path, why)); };
  const Descriptor file(path);
  if (file.number() < 0) return broken(why_not_opened(path, errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return broken(why_not_opened(path, errno));
  if (!S_ISREG(status.st_mode)) return broken(fmt::format("is {}, not a file.", type_name(status.st_mode)));
  if (const auto reason = untrusted_file(path, status)) return broken(*reason);
  if (const auto reason = untrusted_place(path)) return broken(*reason);

  auto elf = read_elf(file.number(), static_cast<std::uint64_t>(status.st_size));
  if (!elf) return broken(elf.error());
  if (elf->manifest) return std::move(*elf);
  return tl::make_unexpected(IgnoredFile{
      path, fmt::format("ignored {}: it has no CloudAI manifest (not a module?)", path.string()), Ignored::no_module});
}

tl::expected<ModuleFile, IgnoredFile> preflight(const fs::path& path) {
  auto elf = preflight_file(path);
  if (!elf) return tl::make_unexpected(std::move(elf.error()));
  auto manifest = read_manifest(*elf->manifest);
  if (!manifest) return tl::make_unexpected(broken_file(path, manifest.error()));
  return ModuleFile{path,
                    path.parent_path(),
                    std::move(manifest->id),
                    std::move(manifest->version),
                    std::move(manifest->document),
                    std::move(*elf->manifest),
                    std::move(elf->build_id),
                    std::move(manifest->provides)};
}

}  // namespace cloudai::module
