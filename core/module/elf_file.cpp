#include "core/module/elf_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "cloudai/abi/module.h"

namespace cloudai::module {
namespace {

using Problem = std::optional<std::string>;

// Real shared objects have about ten program headers and a few hundred bytes of notes.
constexpr std::size_t max_program_headers = 512;
constexpr std::uint64_t max_note_bytes = std::uint64_t{1} << 20;

#if defined(__x86_64__)
constexpr Elf64_Half host_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half host_machine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr Elf64_Half host_machine = EM_PPC64;
#elif defined(__riscv)
constexpr Elf64_Half host_machine = EM_RISCV;
#else
#error "add this machine's ELF number"
#endif
static_assert(sizeof(void*) == 8 && std::endian::native == std::endian::little);

std::string machine_name(Elf64_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_PPC64:
      return "ppc64";
    case EM_RISCV:
      return "riscv64";
    case EM_LOONGARCH:
      return "loongarch64";
    default:
      return fmt::format("machine {}", machine);
  }
}

bool read_at(int descriptor, std::uint64_t offset, void* data, std::size_t size) {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool is_inside(std::uint64_t offset, std::uint64_t length, std::uint64_t size) {
  return offset <= size && length <= size - offset;
}

std::string truncated(std::string_view what, std::uint64_t end, std::uint64_t size) {
  return fmt::format("is truncated ({} ends at byte {}, the file has {}). Copy it again.", what, end, size);
}

std::string damaged(std::string_view why) {
  return fmt::format("is damaged ({}). Copy it again.", why);
}

Problem problem_of_header(const Elf64_Ehdr& header) {
  if (header.e_ident[EI_CLASS] == ELFCLASS32) return "is a 32-bit file; this host is 64-bit.";
  if (header.e_ident[EI_DATA] == ELFDATA2MSB) return "is built for a big-endian machine; this host is little-endian.";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_ident[EI_VERSION] != EV_CURRENT) {
    return damaged("its ELF identification is none");
  }
  if (header.e_machine != host_machine) {
    return fmt::format("is built for {}; this host is {}.", machine_name(header.e_machine), machine_name(host_machine));
  }
  if (header.e_type != ET_DYN) {
    return fmt::format("is {}, not a shared object.", header.e_type == ET_REL    ? "an object file"
                                                      : header.e_type == ET_EXEC ? "a program"
                                                      : header.e_type == ET_CORE ? "a core dump"
                                                                                 : "an ELF file of unknown type");
  }
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0 || header.e_phnum > max_program_headers) {
    return damaged(fmt::format("it names {} program headers of {} bytes", header.e_phnum, header.e_phentsize));
  }
  return std::nullopt;
}

Problem problem_of_extent(const Elf64_Phdr& segment, std::uint64_t size) {
  if (segment.p_offset + segment.p_filesz < segment.p_offset || segment.p_vaddr + segment.p_memsz < segment.p_vaddr ||
      segment.p_filesz > segment.p_memsz) {
    return damaged("a segment's size is impossible");
  }
  if (!is_inside(segment.p_offset, segment.p_filesz, size)) {
    return truncated("a segment", segment.p_offset + segment.p_filesz, size);
  }
  return std::nullopt;
}

// What the loader maps must be there, in order and without wrapping around: it maps each segment relative to the first,
// and follows the dynamic segment's address unasked.
Problem problem_of_segments(const std::vector<Elf64_Phdr>& segments, std::uint64_t size) {
  std::vector<Elf64_Phdr> loads;
  std::vector<Elf64_Phdr> dynamics;
  for (const auto& segment : segments) {
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
    if (auto problem = problem_of_extent(segment, size)) return problem;
    (segment.p_type == PT_LOAD ? loads : dynamics).push_back(segment);
  }
  if (loads.empty()) return damaged("it has no loadable segment");
  if (dynamics.size() != 1) return damaged(fmt::format("it has {} dynamic segments", dynamics.size()));
  for (std::size_t i = 1; i < loads.size(); ++i) {
    if (loads[i].p_vaddr < loads[i - 1].p_vaddr + loads[i - 1].p_memsz) return damaged("its segments overlap");
  }
  const auto& dynamic = dynamics.front();
  const bool is_mapped = std::any_of(loads.begin(), loads.end(), [&](const Elf64_Phdr& load) {
    return dynamic.p_vaddr >= load.p_vaddr && is_inside(dynamic.p_vaddr - load.p_vaddr, dynamic.p_memsz, load.p_memsz);
  });
  if (!is_mapped) return damaged("its dynamic segment is not loaded");
  return std::nullopt;
}

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

// Takes what we want from a note segment. Whatever else lies there is the business of others: a malformed note ends the
// walk.
Problem take_notes(std::string_view notes, std::uint64_t alignment, ElfFile& file) {
  const auto padded = [alignment](std::uint64_t n) { return alignment == 8 ? (n + 7) & ~7ULL : (n + 3) & ~3ULL; };
  std::uint64_t at = 0;
  while (is_inside(at, sizeof(Elf64_Nhdr), notes.size())) {
    Elf64_Nhdr header;
    std::memcpy(&header, notes.data() + at, sizeof header);
    const std::uint64_t name_at = at + sizeof header;
    const std::uint64_t text_at = at + padded(sizeof header + header.n_namesz);
    if (!is_inside(name_at, header.n_namesz, notes.size()) || !is_inside(text_at, header.n_descsz, notes.size())) break;
    const std::string_view name = notes.substr(name_at, header.n_namesz);
    const std::string_view text = notes.substr(text_at, header.n_descsz);
    if (name == std::string_view(CLOUDAI_NOTE_OWNER, sizeof CLOUDAI_NOTE_OWNER) &&
        header.n_type == CLOUDAI_NOTE_MANIFEST) {
      if (file.manifest) return "has more than one CloudAI manifest. Link only one into a module.";
      file.manifest = text;
    } else if (name == std::string_view("GNU", 4) && header.n_type == NT_GNU_BUILD_ID) {
      file.build_id = hexadecimal(text);
    }
    at = padded(text_at + header.n_descsz);
  }
  return std::nullopt;
}

}  // namespace

tl::expected<ElfFile, std::string> read_elf(int descriptor, std::uint64_t size) {
  const auto refuse = [](std::string why) { return tl::make_unexpected(std::move(why)); };
  if (size == 0) return refuse("is empty. Copy it again.");

  Elf64_Ehdr header{};
  const auto head = static_cast<std::size_t>(std::min<std::uint64_t>(size, sizeof header));
  if (!read_at(descriptor, 0, &header, head)) return refuse("cannot be read.");
  if (head < SELFMAG || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return refuse("is not an ELF file.");
  if (head < sizeof header) return refuse(truncated("the ELF header", sizeof header, size));
  if (auto problem = problem_of_header(header)) return refuse(std::move(*problem));

  std::vector<Elf64_Phdr> segments(header.e_phnum);
  const std::uint64_t table_bytes = segments.size() * sizeof(Elf64_Phdr);
  if (header.e_phoff + table_bytes < header.e_phoff) return refuse(damaged("its program headers are out of reach"));
  if (!is_inside(header.e_phoff, table_bytes, size)) {
    return refuse(truncated("the program header table", header.e_phoff + table_bytes, size));
  }
  if (!read_at(descriptor, header.e_phoff, segments.data(), table_bytes)) return refuse("cannot be read.");
  if (auto problem = problem_of_segments(segments, size)) return refuse(std::move(*problem));

  ElfFile file;
  std::uint64_t note_bytes = 0;
  for (const auto& segment : segments) {
    if (segment.p_type != PT_NOTE) continue;
    if (!is_inside(segment.p_offset, segment.p_filesz, size)) return refuse(damaged("a note lies outside the file"));
    note_bytes += segment.p_filesz;
    if (note_bytes > max_note_bytes) return refuse(damaged("its notes are larger than 1 MiB"));
    std::string notes(segment.p_filesz, '\0');
    if (!read_at(descriptor, segment.p_offset, notes.data(), notes.size())) return refuse("cannot be read.");
    if (auto problem = take_notes(notes, segment.p_align, file)) return refuse(std::move(*problem));
  }
  return file;
}

}  // namespace cloudai::module
