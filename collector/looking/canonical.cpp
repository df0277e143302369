#include "collector/looking/canonical.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "schema/files/content.h"

namespace perf {
namespace {

constexpr std::size_t kShortestOid = 7;    // digits, as git shortens it
constexpr std::size_t kPythonHeader = 16;  // B of a .pyc: what it was made by, and of (PEP 552)
constexpr std::uint32_t kGoBuildId = 4;    // of its linker's elf.go
constexpr std::size_t kScriptLine = 256;   // B of a script's first line that the kernel reads

/// A regular file's bytes, mapped.
class Mapped {
 public:
  explicit Mapped(const std::filesystem::path& path)
      : file_(open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    const std::optional<std::uintmax_t> size = regular_size(file_);
    if (!size || *size == 0) {
      is_read_ = size.has_value();
      return;
    }
    void* const at = mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, file_.number(), 0);
    if (at != MAP_FAILED) {
      bytes_ = {static_cast<const char*>(at), static_cast<std::size_t>(*size)};
      is_read_ = true;
    }
  }
  ~Mapped() {
    if (!bytes_.empty()) {
      munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    }
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  bool is_read() const { return is_read_; }
  std::string_view bytes() const { return bytes_; }

 private:
  Descriptor file_;
  std::string_view bytes_;
  bool is_read_ = false;
};

/// A digest of parts.
class Digest {
 public:
  Digest() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }

  void add(std::string_view bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
  }
  std::string text() const {
    XXH128_canonical_t whole;
    XXH128_canonicalFromHash(&whole, XXH3_128bits_digest(state_.get()));
    std::string digits;
    for (const unsigned char byte : whole.digest) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      digits += kDigits[byte >> 4];
      digits += kDigits[byte & 15];
    }
    return digits;
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

/// The next own name at or after `from`: its place and length; npos where there is none.
std::pair<std::size_t, std::size_t> next_own_name(std::string_view text, std::size_t from,
                                                  const OwnNames& own) {
  const std::size_t path = own.path.empty() ? std::string_view::npos : text.find(own.path, from);
  std::size_t oid = own.oid.size() < kShortestOid
                        ? std::string_view::npos
                        : text.find(std::string_view(own.oid).substr(0, kShortestOid), from);
  if (path <= oid) {
    return {path, own.path.size()};
  }
  const std::string_view rest = text.substr(oid);
  const std::size_t longest = std::min(rest.size(), own.oid.size());
  const auto end = std::mismatch(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(longest),
                                 own.oid.begin());
  return {oid, static_cast<std::size_t>(end.first - rest.begin())};
}

/// Hands over the text in parts, `~` in place of own names. Returns where those were, and how long.
template <class Take>
std::string take_without_own_names(std::string_view text, const OwnNames& own, const Take& take) {
  std::string places;
  std::size_t from = 0;
  while (true) {
    const auto [at, length] = next_own_name(text, from, own);
    if (at == std::string_view::npos) {
      take(text.substr(from));
      return places;
    }
    take(text.substr(from, at - from));
    take(std::string(length, '~'));
    places += std::to_string(at) + '+' + std::to_string(length) + ' ';
    from = at + length;
  }
}

/// A text with own names is no other text that has as many `~`.
void add_without_own_names(std::string_view text, const OwnNames& own, Digest& digest) {
  digest.add(
      take_without_own_names(text, own, [&digest](std::string_view part) { digest.add(part); }));
  digest.add(std::to_string(text.size()));
}

template <class Record>
std::optional<Record> record_at(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Record)) {
    return std::nullopt;
  }
  Record record;
  std::memcpy(&record, bytes.data() + at, sizeof record);
  return record;
}

/// What of an ELF file is loaded, and what lies around it.
struct Elf {
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments{};
  std::vector<Elf64_Shdr> sections{};
  std::uint64_t end = 0;  ///< of its last part, B
};

std::uint64_t end_of(std::uint64_t at, std::uint64_t size) {
  return at > UINT64_MAX - size ? UINT64_MAX : at + size;
}

/// Nothing of what is no 64-bit little-endian ELF file that can be executed or loaded.
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

/// The bytes with what linking alone decides blanked: build ids, and where the sections' table is.
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

/// The ELF file of which only what is loaded counts; nothing where all of the bytes do.
std::optional<Elf> loaded_elf(std::string_view bytes, bool loaded) {
  const std::optional<Elf> elf = loaded ? read_elf(bytes) : std::nullopt;
  return elf && elf->end >= bytes.size() ? elf : std::nullopt;
}

void add_loaded(std::string_view bytes, const Elf& elf, const OwnNames& own, Digest& digest) {
  const std::string blank = with_blanks(bytes, elf);
  const std::string_view all = blank;
  digest.add("elf");
  digest.add(all.substr(0, sizeof(Elf64_Ehdr)));
  digest.add(all.substr(elf.header.e_phoff, elf.segments.size() * sizeof(Elf64_Phdr)));
  for (const Elf64_Phdr& segment : elf.segments) {
    // The interpreter's name and the notes need not lie in what is loaded; the kernel reads them.
    if (segment.p_type == PT_LOAD || segment.p_type == PT_INTERP || segment.p_type == PT_NOTE) {
      add_without_own_names(all.substr(segment.p_offset, segment.p_filesz), own, digest);
    }
  }
}

/// What is loaded of the sections, by name.
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

/// A person looks for what was written first, and last for what a linker makes of it.
std::size_t rank_of(const std::string& section) {
  constexpr std::string_view kWritten[] = {".text", ".rodata", ".data"};
  constexpr std::string_view kFollowing[] = {
      ".gnu.", ".hash", ".dyn", ".rel", ".eh_frame", ".gcc_except_table", ".note", ".got", ".plt"};
  const auto begins = [&section](std::string_view name) { return section.starts_with(name); };
  const auto written = std::ranges::find_if(kWritten, begins);
  return static_cast<std::size_t>(written - std::begin(kWritten)) +
         (std::ranges::any_of(kFollowing, begins) ? 1 : 0);
}

/// The loaded section that a person would name of those that differ; empty where none is known to.
std::string differing_section(const std::string& one, const Elf& of_one, const std::string& other,
                              const Elf& of_other) {
  const auto sections = loaded_sections(one, of_one), others = loaded_sections(other, of_other);
  std::string differing;
  const auto differs = [&differing](const std::string& name) {
    differing = differing.empty() || rank_of(name) < rank_of(differing) ? name : differing;
  };
  for (const auto& [name, content] : sections) {
    const auto same = others.find(name);
    if (same == others.end() || same->second != content) {
      differs(name);
    }
  }
  for (const auto& [name, content] : others) {
    if (!sections.contains(name)) {
      differs(name);
    }
  }
  return differing;
}

}  // namespace

std::string without_own_names(std::string text, const OwnNames& own) {
  std::string result;
  take_without_own_names(text, own, [&result](std::string_view part) { result += part; });
  return result;
}

std::optional<std::string> content_digest(const std::filesystem::path& file, bool loaded,
                                          const OwnNames& own) {
  const Mapped mapped(file);
  if (!mapped.is_read()) {
    return std::nullopt;
  }
  Digest digest;
  if (const std::optional<Elf> elf = loaded_elf(mapped.bytes(), loaded)) {
    add_loaded(mapped.bytes(), *elf, own, digest);
  } else {
    digest.add("raw");
    add_without_own_names(mapped.bytes(), own, digest);
  }
  return digest.text();
}

std::optional<std::string> python_code_digest(const std::filesystem::path& file,
                                              const OwnNames& own) {
  const Mapped mapped(file);
  if (mapped.bytes().size() < kPythonHeader) {
    return std::nullopt;
  }
  Digest digest;
  add_without_own_names(mapped.bytes().substr(kPythonHeader), own, digest);
  return digest.text();
}

std::string first_difference(const std::filesystem::path& one, const OwnNames& of_one,
                             const std::filesystem::path& other, const OwnNames& of_other,
                             bool loaded) {
  const Mapped a(one), b(other);
  const std::optional<Elf> elf_a = loaded_elf(a.bytes(), loaded),
                           elf_b = loaded_elf(b.bytes(), loaded);
  if (elf_a && elf_b) {
    // The names of sections lie behind what is loaded: they are read from the file as it is.
    return differing_section(without_own_names(with_blanks(a.bytes(), *elf_a), of_one), *elf_a,
                             without_own_names(with_blanks(b.bytes(), *elf_b), of_other), *elf_b);
  }
  const std::string text_a = without_own_names(std::string(a.bytes()), of_one),
                    text_b = without_own_names(std::string(b.bytes()), of_other);
  if (text_a.find('\0') != std::string::npos || text_b.find('\0') != std::string::npos) {
    return {};
  }
  const auto at = std::ranges::mismatch(text_a, text_b).in1;
  if (at == text_a.end() && text_a.size() == text_b.size()) {
    return {};
  }
  return "line " + std::to_string(1 + std::count(text_a.begin(), at, '\n'));
}

std::string interpreter_of(const std::filesystem::path& file) {
  const Mapped mapped(file);
  const std::string_view bytes = mapped.bytes();
  if (bytes.starts_with("#!")) {
    std::string_view line = bytes.substr(2, kScriptLine);
    line = line.substr(0, line.find('\n'));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return std::string(line.substr(0, line.find_first_of(" \t\r")));
  }
  if (const std::optional<Elf> elf = read_elf(bytes)) {
    for (const Elf64_Phdr& segment : elf->segments) {
      if (segment.p_type == PT_INTERP) {
        const std::string_view path = bytes.substr(segment.p_offset, segment.p_filesz);
        return std::string(path.substr(0, path.find('\0')));
      }
    }
  }
  return {};
}

}  // namespace perf
