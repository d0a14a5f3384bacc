#include "core/module/elf_symbols.hpp"

#include <elf.h>
#include <string.h>

#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "core/support/files.hpp"

namespace cloudai::module {
namespace {

// The file as bytes. Whatever it says of places outside of it is nothing.
class Image {
 public:
  explicit Image(std::string bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string text(const Elf64_Shdr& strings, std::uint64_t offset) const {
    const std::uint64_t begin = strings.sh_offset + offset;
    if (offset >= strings.sh_size || begin >= bytes_.size()) return {};
    const std::string_view rest = std::string_view(bytes_).substr(begin, strings.sh_size - offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }

 private:
  std::string bytes_;
};

struct Sections {
  const Image& image;
  std::vector<Elf64_Shdr> all;

  const Elf64_Shdr* of_type(Elf64_Word type) const {
    for (const auto& section : all) {
      if (section.sh_type == type) return &section;
    }
    return nullptr;
  }
  const Elf64_Shdr* strings_of(const Elf64_Shdr& section) const {
    return section.sh_link < all.size() ? &all[section.sh_link] : nullptr;
  }
};

Sections sections_of(const Image& image) {
  Sections sections{image, {}};
  const auto header = image.at<Elf64_Ehdr>(0);
  if (!header || header->e_shoff == 0 || header->e_shentsize != sizeof(Elf64_Shdr)) return sections;
  for (Elf64_Half i = 0; i < header->e_shnum; ++i) {
    const auto section = image.at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
    if (section) sections.all.push_back(*section);
  }
  return sections;
}

void take_symbols(const Sections& sections, const Elf64_Shdr& table, ElfSymbols& found) {
  const Elf64_Shdr* strings = sections.strings_of(table);
  if (strings == nullptr) return;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = sections.image.at<Elf64_Sym>(table.sh_offset + at);
    if (!symbol) return;
    const auto binding = ELF64_ST_BIND(symbol->st_info);
    const bool is_seen = ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT && binding != STB_LOCAL;
    if (symbol->st_shndx == SHN_UNDEF || !is_seen) continue;
    found.exported.push_back(sections.image.text(*strings, symbol->st_name));
    if (binding == STB_GNU_UNIQUE) found.unique.push_back(found.exported.back());
  }
}

// "GLIBC_2.34" → its kind "GLIBC", of which the highest is kept.
void keep_highest(std::map<std::string, std::string>& highest, const std::string& version) {
  std::string& kept = highest[version.substr(0, version.rfind('_'))];
  if (kept.empty() || ::strverscmp(kept.c_str(), version.c_str()) < 0) kept = version;
}

void take_versions(const Sections& sections, const Elf64_Shdr& table, ElfSymbols& found) {
  const Elf64_Shdr* strings = sections.strings_of(table);
  std::map<std::string, std::string> highest;
  std::uint64_t at = table.sh_offset;
  for (Elf64_Word i = 0; strings != nullptr && i < table.sh_info; ++i) {
    const auto need = sections.image.at<Elf64_Verneed>(at);
    if (!need) break;
    std::uint64_t version_at = at + need->vn_aux;
    for (Elf64_Half j = 0; j < need->vn_cnt; ++j) {
      const auto version = sections.image.at<Elf64_Vernaux>(version_at);
      if (!version) break;
      keep_highest(highest, sections.image.text(*strings, version->vna_name));
      if (version->vna_next == 0) break;
      version_at += version->vna_next;
    }
    if (need->vn_next == 0) break;
    at += need->vn_next;
  }
  for (const auto& [kind, version] : highest) found.needed_versions.push_back(version);
}

}  // namespace

tl::expected<ElfSymbols, std::string> read_symbols(const std::filesystem::path& file) {
  auto bytes = files::read(file);
  if (!bytes) return tl::make_unexpected(bytes.error().message);
  const Image image(std::move(*bytes));
  const Sections sections = sections_of(image);
  const Elf64_Shdr* symbols = sections.of_type(SHT_DYNSYM);
  if (symbols == nullptr) return tl::make_unexpected(std::string("has no section headers that tell its symbols"));
  ElfSymbols found;
  take_symbols(sections, *symbols, found);
  if (const Elf64_Shdr* versions = sections.of_type(SHT_GNU_verneed)) take_versions(sections, *versions, found);
  return found;
}

}  // namespace cloudai::module
