#include "core/module/preflight.hpp"

#include <elf.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "core/support/files.hpp"
#include "tests/core/module/scratch.hpp"

namespace cloudai::module {
namespace {

namespace fs = std::filesystem;
using test::Scratch;
using testing::AnyOf;
using testing::HasSubstr;

std::string refusal(const fs::path& path) {
  const auto file = preflight(path);
  return file ? "" : file.error().reason;
}

// As much of a shared object as the preflight looks at.
struct Image {
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  std::size_t size = 12000;

  Image() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_machine = EM_X86_64;
    header.e_type = ET_DYN;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    segments = {segment(PT_LOAD, 0, 0x1000), segment(PT_LOAD, 0x1000, 0x1000), segment(PT_DYNAMIC, 0x1000, 0x100)};
  }
  static Elf64_Phdr segment(Elf64_Word type, std::uint64_t offset, std::uint64_t size) {
    Elf64_Phdr result{};
    result.p_type = type;
    result.p_offset = result.p_vaddr = offset;
    result.p_filesz = result.p_memsz = size;
    return result;
  }
  std::string bytes() {
    if (header.e_phnum == 0) header.e_phnum = static_cast<Elf64_Half>(segments.size());
    std::string result(size, '\0');
    std::memcpy(result.data(), &header, sizeof header);
    std::memcpy(result.data() + sizeof header, segments.data(), segments.size() * sizeof(Elf64_Phdr));
    return result;
  }
};

// The sentence for a changed image, without the path it starts with.
template <class Change>
std::string refusal_of(Change&& change) {
  const Scratch scratch;
  Image image;
  change(image);
  const auto path = scratch.write("foo.so", image.bytes());
  const std::string text = refusal(path);
  EXPECT_EQ(text.substr(0, path.string().size() + 1), path.string() + " ");
  return text.substr(std::min(text.size(), path.string().size() + 1));
}

TEST(Preflight, TellsWhatAModuleIsWithoutLoadingIt) {
  const Scratch scratch;
  const auto path = scratch.add("good");
  const auto file = preflight(path);
  ASSERT_TRUE(file) << file.error().reason;
  EXPECT_EQ(file->path, path);
  EXPECT_EQ(file->directory, scratch.path());
  EXPECT_EQ(file->id, "test.good");
  EXPECT_EQ(file->version, "1.0.0");
  ASSERT_EQ(file->provides.size(), 1U);
  EXPECT_EQ(file->provides[0].name, "Fixture");
  EXPECT_EQ(Json::parse(file->manifest_text), file->manifest);
}

TEST(Preflight, RunsNoConstructor) {
  const Scratch scratch;
  const auto marker = scratch / "marker";
  ::setenv("CLOUDAI_TEST_MARKER", marker.c_str(), 1);
  EXPECT_TRUE(preflight(scratch.add("marker")));
  EXPECT_TRUE(preflight(scratch.add("endless_constructor")));
  EXPECT_TRUE(preflight(scratch.add("throws_in_constructor")));
  EXPECT_FALSE(fs::exists(marker));
}

TEST(Preflight, AFileWithoutAManifestIsIgnoredNotBroken) {
  const Scratch scratch;
  const auto path = scratch.add("plain_library", "libhelper.so");
  const auto file = preflight(path);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().why, Ignored::no_module);
  EXPECT_EQ(file.error().reason, "ignored " + path.string() + ": it has no CloudAI manifest (not a module?)");
}

TEST(Preflight, WhatIsNoFile) {
  const Scratch scratch;
  const auto directory = scratch.directory("dir.so").string();
  EXPECT_EQ(refusal(directory), directory + " is a directory, not a file.");

  const auto fifo = (scratch / "fifo.so").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(refusal(fifo), fifo + " is a FIFO, not a file.");

  const auto link = (scratch / "dangling.so").string();
  fs::create_symlink("missing", link);
  EXPECT_EQ(refusal(link), link + " is a link to missing, which does not exist.");

  const auto loop = (scratch / "loop.so").string();
  fs::create_symlink("loop.so", loop);
  EXPECT_EQ(refusal(loop), loop + " cannot be opened: Too many levels of symbolic links.");

  const auto device = (scratch / "device.so").string();
  fs::create_symlink("/dev/null", device);
  EXPECT_EQ(refusal(device), device + " is a device, not a file.");

  const auto missing = (scratch / "gone.so").string();
  EXPECT_EQ(refusal(missing), missing + " cannot be opened: No such file or directory.");
}

TEST(Preflight, ASocketIsNotOpened) {
  const Scratch scratch;
  const auto path = (scratch / "socket.so").string();
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(refusal(path), path + " cannot be opened: No such device or address.");
  ::close(socket);
}

TEST(Preflight, AFileThatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const Scratch scratch;
  const auto path = scratch.add("good").string();
  fs::permissions(path, fs::perms::none);
  EXPECT_EQ(refusal(path), path + " cannot be opened: Permission denied.");
}

TEST(Preflight, AFileOthersCanChange) {
  const Scratch scratch;
  const auto path = scratch.add("good").string();
  fs::permissions(path, fs::perms{0664});
  EXPECT_EQ(refusal(path), path + " can be changed by its group or by others (mode 0664). Run: chmod go-w " + path);
  fs::permissions(path, fs::perms{0646});
  EXPECT_EQ(refusal(path), path + " can be changed by its group or by others (mode 0646). Run: chmod go-w " + path);
}

TEST(Preflight, ADirectoryOthersCanChange) {
  const Scratch scratch;
  const auto path = scratch.add("good", "a/b/good.so").string();
  const auto directory = (scratch / "a").string();
  fs::permissions(directory, fs::perms{0777});
  EXPECT_EQ(refusal(path), path + " lies in " + directory +
                               ", which its group or others can change (mode 0777). Run: chmod go-w " + directory);
  fs::permissions(directory, fs::perms{01777});
  EXPECT_EQ(refusal(path), "") << "in a sticky directory nobody replaces what is ours";
}

TEST(Preflight, ALinkIsAsSafeAsTheDirectoryItLeadsTo) {
  const Scratch scratch;
  const auto target = scratch.add("good", "open/good.so");
  fs::create_symlink(target, scratch / "good.so");
  EXPECT_EQ(refusal(scratch / "good.so"), "");
  fs::permissions(scratch / "open", fs::perms{0777});
  EXPECT_THAT(refusal(scratch / "good.so"), HasSubstr((scratch / "open").string() + ", which its group or others can"));
}

TEST(Preflight, AForeignOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const Scratch scratch;
  const auto path = scratch.add("good", "a/good.so").string();
  ASSERT_EQ(::chown(path.c_str(), 4711, 0), 0);
  EXPECT_EQ(refusal(path), path + " belongs to user 4711, neither to root nor to you. Change its owner.");
  ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  const auto directory = (scratch / "a").string();
  ASSERT_EQ(::chown(directory.c_str(), 4711, 0), 0);
  EXPECT_EQ(refusal(path), path + " lies in " + directory +
                               ", which belongs to user 4711, neither to root nor to you. Change its owner.");
}

TEST(Preflight, WhatIsNotElf) {
  const Scratch scratch;
  const auto empty = scratch.write("empty.so", "").string();
  EXPECT_EQ(refusal(empty), empty + " is empty. Copy it again.");
  const auto text = scratch.write("text.so", "#!/bin/sh\n").string();
  EXPECT_EQ(refusal(text), text + " is not an ELF file.");
  const auto short_text = scratch.write("short.so", "ab").string();
  EXPECT_EQ(refusal(short_text), short_text + " is not an ELF file.");
  EXPECT_EQ(preflight(text).error().why, Ignored::broken);
}

TEST(Preflight, ATruncatedFile) {
  EXPECT_EQ(refusal_of([](Image& image) { image.segments[1].p_filesz = image.segments[1].p_memsz = 15008 - 0x1000; }),
            "is truncated (a segment ends at byte 15008, the file has 12000). Copy it again.");
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_phoff = 11990; }),
            "is truncated (the program header table ends at byte 12158, the file has 12000). Copy it again.");
  const Scratch scratch;
  const auto path = scratch.write("foo.so", Image().bytes().substr(0, 30)).string();
  EXPECT_EQ(refusal(path), path + " is truncated (the ELF header ends at byte 64, the file has 30). Copy it again.");
}

TEST(Preflight, AnotherMachine) {
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_machine = EM_AARCH64; }),
            "is built for aarch64; this host is x86-64.");
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_machine = 4711; }),
            "is built for machine 4711; this host is x86-64.");
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_ident[EI_CLASS] = ELFCLASS32; }),
            "is a 32-bit file; this host is 64-bit.");
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_ident[EI_DATA] = ELFDATA2MSB; }),
            "is built for a big-endian machine; this host is little-endian.");
}

TEST(Preflight, AnotherTypeOfElfFile) {
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_type = ET_EXEC; }), "is a program, not a shared object.");
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_type = ET_REL; }), "is an object file, not a shared object.");
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_type = ET_CORE; }), "is a core dump, not a shared object.");
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_type = 77; }),
            "is an ELF file of unknown type, not a shared object.");
}

TEST(Preflight, ADamagedFile) {
  const auto damaged = [](std::string_view why) { return "is damaged (" + std::string(why) + "). Copy it again."; };
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_ident[EI_CLASS] = 9; }),
            damaged("its ELF identification is none"));
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_phentsize = 1; }),
            damaged("it names 3 program headers of 1 bytes"));
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_phnum = 0xffff; }),
            damaged("it names 65535 program headers of 56 bytes"));
  EXPECT_EQ(refusal_of([](Image& image) { image.header.e_phoff = ~0ULL; }),
            damaged("its program headers are out of reach"));
  EXPECT_EQ(refusal_of([](Image& image) { image.segments[0].p_filesz = ~0ULL; }),
            damaged("a segment's size is impossible"));
  EXPECT_EQ(refusal_of([](Image& image) { image.segments[0].p_vaddr = ~0ULL; }),
            damaged("a segment's size is impossible"));
  EXPECT_EQ(refusal_of([](Image& image) { std::swap(image.segments[0], image.segments[1]); }),
            damaged("its segments overlap"));
  EXPECT_EQ(refusal_of([](Image& image) { image.segments.erase(image.segments.begin(), image.segments.begin() + 2); }),
            damaged("it has no loadable segment"));
  EXPECT_EQ(refusal_of([](Image& image) { image.segments.pop_back(); }), damaged("it has 0 dynamic segments"));
  EXPECT_EQ(refusal_of([](Image& image) { image.segments[2].p_vaddr = 0x9000; }),
            damaged("its dynamic segment is not loaded"));
  EXPECT_EQ(refusal_of([](Image& image) { image.segments.push_back(Image::segment(PT_NOTE, 11999, 100)); }),
            damaged("a note lies outside the file"));
  EXPECT_EQ(refusal_of([](Image& image) {
              image.size = (2 << 20) + 1;
              image.segments.push_back(Image::segment(PT_NOTE, 0, 2 << 20));
            }),
            damaged("its notes are larger than 1 MiB"));
}

TEST(Preflight, TwoManifests) {
  const Scratch scratch;
  const auto path = scratch.add("two_notes").string();
  EXPECT_EQ(refusal(path), path + " has more than one CloudAI manifest. Link only one into a module.");
}

TEST(Preflight, AManifestThatIsNotForUs) {
  const Scratch scratch;
  const auto too_new = scratch.add("manifest_abi_too_new").string();
  EXPECT_EQ(refusal(too_new), too_new + " needs module ABI 0.3; this cloudai offers 0.0. Update cloudai.");
  const auto twice = scratch.add("name_twice").string();
  EXPECT_EQ(refusal(twice), twice + " has an invalid manifest: workload 'Fixture' is provided twice.");
}

// Cut anywhere, a module is either whole where it counts (only section headers or symbols are gone) or refused.
TEST(Preflight, EveryTruncationOfAModuleIsSurvived) {
  const Scratch scratch;
  const std::string whole = files::read(Scratch::fixture_path("good")).value();
  const auto path = scratch.write("cut.so", whole);
  std::size_t refused = 0;
  for (std::size_t size = whole.size(); size-- > 0;) {
    fs::resize_file(path, size);
    const auto file = preflight(path);
    if (file) {
      EXPECT_EQ(file->id, "test.good");
      continue;
    }
    ++refused;
    EXPECT_EQ(file.error().why, Ignored::broken) << size;
    EXPECT_THAT(file.error().reason,
                AnyOf(testing::EndsWith("Copy it again."), testing::EndsWith("is not an ELF file.")));
    if (HasFailure()) break;
  }
  EXPECT_GT(refused, 1000U);
}

// The seed is fixed: whatever this finds, it finds again.
TEST(Preflight, FlippedBitsInTheHeadersAreSurvived) {
  const std::string whole = files::read(Scratch::fixture_path("good")).value();
  constexpr std::size_t headers = 2048;  // ELF header, program headers and the notes behind them
  ASSERT_GT(whole.size(), headers);
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t n) { return random() % n; };
  const Scratch scratch;
  const auto path = scratch.write("flipped.so", whole);
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string head = whole.substr(0, headers);
    for (std::size_t flips = 1 + below(8); flips > 0; --flips)
      head[below(headers)] ^= static_cast<char>(1U << below(8));
    if (below(4) == 0) head[below(headers)] = '\xff';
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << head;
    const auto file = preflight(path);
    if (file) continue;
    ++refused;
    EXPECT_THAT(file.error().reason, HasSubstr(path.string()));
  }
  EXPECT_GT(refused, 500U);
}

}  // namespace
}  // namespace cloudai::module
