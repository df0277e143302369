#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

#include "collector/mapped_file.h"
#include "collector/trace/program.h"

namespace perf {
namespace {

constexpr std::uint32_t kGoBuildId = 4;  // of its linker's elf.go

std::uint64_t end_of(std::uint64_t at, std::uint64_t size) {
  return at > UINT64_MAX - size ? UINT64_MAX : at + size;
}

/// The content of the loaded sections, by name.
std::map<std::string, std::string_view> loaded_sections(const std::string& bytes, const Elf& elf) {
  std::map<std::string, std::string_view> found;
  if (elf.header.e_shstrndx >= elf.sections.size()) {
    return found;
  }
  const std::uint64_t names = elf.sections[elf.header.e_shstrndx].sh_offset;
  for (const Elf64_Shdr& section : elf.sections) {
    const bool holds = (section.sh_flags & SHF_ALLOC) != 0 && section.sh_type != SHT_NOBITS;
    const std::uint64_t name = end_of(names, section.sh_name);
    if (holds && section.sh_offset <= bytes.size() && name < bytes.size()) {
      found.emplace(bytes.c_str() + name,
                    std::string_view(bytes).substr(section.sh_offset, section.sh_size));
    }
  }
  return found;
}

/// What was written comes first, what the linker derives from it last.
std::size_t rank_of(const std::string& section) {
  constexpr std::string_view kWritten[] = {".text", ".rodata", ".data"};
  constexpr std::string_view kFollowing[] = {
      ".gnu.", ".hash", ".dyn", ".rel", ".eh_frame", ".gcc_except_table", ".note", ".got", ".plt"};
  const auto begins = [&section](std::string_view name) { return section.starts_with(name); };
  const auto written = std::ranges::find_if(kWritten, begins);
  return static_cast<std::size_t>(written - std::begin(kWritten)) +
         (std::ranges::any_of(kFollowing, begins) ? 1 : 0);
}

}  // namespace

std::optional<Elf> read_elf(std::string_view bytes) {
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      (header->e_type != ET_EXEC && header->e_type != ET_DYN) ||
      header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum == PN_XNUM) {
    return std::nullopt;
  }
  Elf elf{*header};
  elf.end = end_of(header->e_phoff, std::uint64_t{header->e_phnum} * sizeof(Elf64_Phdr));
  bool loads = false;
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = record_at<Elf64_Phdr>(bytes, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || end_of(segment->p_offset, segment->p_filesz) > bytes.size()) {
      return std::nullopt;
    }
    elf.segments.push_back(*segment);
    elf.end = std::max(elf.end, end_of(segment->p_offset, segment->p_filesz));
    loads |= segment->p_type == PT_LOAD;
  }
  const bool has_sections = header->e_shnum > 0 && header->e_shentsize == sizeof(Elf64_Shdr);
  for (std::uint64_t i = 0; has_sections && i < header->e_shnum; ++i) {
    const auto section = record_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) {
      return std::nullopt;
    }
    elf.sections.push_back(*section);
    if (section->sh_type != SHT_NOBITS) {
      elf.end = std::max(elf.end, end_of(section->sh_offset, section->sh_size));
    }
  }
  if (has_sections) {
    elf.end = std::max(elf.end, end_of(header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr)));
  }
  return loads ? std::optional(elf) : std::nullopt;
}

std::string with_blanks(std::string_view bytes, const Elf& elf) {
  std::string blank(bytes);
  Elf64_Ehdr header = elf.header;
  header.e_shoff = 0;
  header.e_shnum = header.e_shstrndx = header.e_shentsize = 0;
  std::memcpy(blank.data(), &header, sizeof header);
  for (const Elf64_Phdr& segment : elf.segments) {
    if (segment.p_type != PT_NOTE) {
      continue;
    }
    const std::uint64_t align = segment.p_align == 8 ? 8 : 4;
    const auto padded = [align](std::uint64_t size) { return (size + align - 1) / align * align; };
    std::uint64_t at = segment.p_offset;
    while (const auto note = record_at<Elf64_Nhdr>(bytes, at)) {
      const std::uint64_t name = at + sizeof *note, text = name + padded(note->n_namesz);
      at = text + padded(note->n_descsz);
      if (at > segment.p_offset + segment.p_filesz) {
        break;
      }
      const bool is_id =
          (note->n_type == NT_GNU_BUILD_ID && bytes.substr(name).starts_with("GNU")) ||
          (note->n_type == kGoBuildId && bytes.substr(name).starts_with("Go"));
      if (is_id) {
        std::fill_n(blank.begin() + static_cast<std::ptrdiff_t>(text), note->n_descsz, '\0');
      }
    }
  }
  return blank;
}

std::optional<Elf> loaded_elf(std::string_view bytes, bool loaded) {
  const std::optional<Elf> elf = loaded ? read_elf(bytes) : std::nullopt;
  return elf && elf->end >= bytes.size() ? elf : std::nullopt;
}

std::string differing_section(const std::string& one, const Elf& of_one, const std::string& other,
                              const Elf& of_other) {
  const auto sections = loaded_sections(one, of_one), others = loaded_sections(other, of_other);
  std::string differing;
  const auto differs = [&differing](const std::string& name) {
    differing = differing.empty() || rank_of(name) < rank_of(differing) ? name : differing;
  };
  for (const auto& [own, other_sections] :
       {std::pair(&sections, &others), std::pair(&others, &sections)}) {
    for (const auto& [name, content] : *own) {
      const auto same = other_sections->find(name);
      if (same == other_sections->end() || same->second != content) {
        differs(name);
      }
    }
  }
  return differing;
}

}  // namespace perf
