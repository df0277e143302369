#include "collector/machine/elf_program.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "collector/machine/build_marks.h"
#include "schema/files/content.h"

namespace perf {
namespace {

constexpr std::uint64_t kLargestPart = 64ull << 20;  // B

/// A regular file, open for reading.
class File {
 public:
  explicit File(const std::filesystem::path& path)
      : opened_(open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)),
        size_(regular_size(opened_).value_or(0)) {}

  /// `size` bytes from `at` on; empty where the file does not hold them all.
  std::string part(std::uint64_t at, std::uint64_t size) const {
    if (size > kLargestPart || at > size_ || size > size_ - at) {
      return {};
    }
    std::string bytes(size, '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
      const ssize_t got = retried([&] {
        return pread(opened_.number(), bytes.data() + have, bytes.size() - have,
                     static_cast<off_t>(at + have));
      });
      if (got <= 0) {
        return {};
      }
      have += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  template <typename Record>
  std::optional<Record> record(std::uint64_t at) const {
    const std::string bytes = part(at, sizeof(Record));
    if (bytes.size() != sizeof(Record)) {
      return std::nullopt;
    }
    Record record;
    std::memcpy(&record, bytes.data(), sizeof record);
    return record;
  }

 private:
  Descriptor opened_;
  std::uint64_t size_;
};

std::vector<Elf64_Shdr> sections_of(const File& file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  for (std::uint64_t i = 0; i < header.e_shnum && header.e_shentsize == sizeof(Elf64_Shdr); ++i) {
    const auto section = file.record<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) {
      break;
    }
    sections.push_back(*section);
  }
  return sections;
}

std::string section_text(const File& file, const Elf64_Shdr& section) {
  const bool stored = section.sh_type != SHT_NOBITS && (section.sh_flags & SHF_COMPRESSED) == 0;
  return stored ? file.part(section.sh_offset, section.sh_size) : std::string();
}

bool is_named(const std::string& names, const Elf64_Shdr& section, std::string_view name) {
  return section.sh_name < names.size() && std::string_view(names.data() + section.sh_name) == name;
}

}  // namespace

std::optional<ElfProgram> read_elf_program(const std::filesystem::path& path) {
  const File file(path);
  const auto header = file.record<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return std::nullopt;
  }
  const std::vector<Elf64_Shdr> sections = sections_of(file, *header);
  if (sections.empty()) {
    return std::nullopt;
  }
  const std::string names = header->e_shstrndx < sections.size()
                                ? section_text(file, sections[header->e_shstrndx]) + '\0'
                                : std::string();
  std::set<std::string> instruments;
  ElfProgram program;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB) {
      if (section.sh_link < sections.size()) {
        for (std::string& one : instruments_in(section_text(file, sections[section.sh_link]))) {
          instruments.insert(std::move(one));
        }
      }
    } else if (is_named(names, section, ".debug_str")) {
      program.optimized = optimized_by(section_text(file, section));
    }
  }
  program.instruments.assign(instruments.begin(), instruments.end());
  return program;
}

}  // namespace perf
