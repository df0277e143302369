#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "collector/machine/program_state.h"
#include "collector/mapped_file.h"

namespace perf {
namespace {

/// A mark in a string table: a whole name, or a prefix.
struct Mark {
  const char* text;
  bool whole;
  const char* instrument;
};

/// The names of .dynsym include libraries (DT_NEEDED points there). Only functions that the
/// instrumentation itself calls count: others (__lsan_..., __tsan_acquire) are weak references of
/// ordinary libraries as well.
constexpr std::array<Mark, 14> kMarks{{
    {"libasan.so", false, "AddressSanitizer"},
    {"libclang_rt.asan", false, "AddressSanitizer"},
    {"__asan_init", true, "AddressSanitizer"},
    {"__hwasan_init", true, "HWAddressSanitizer"},
    {"libtsan.so", false, "ThreadSanitizer"},
    {"libclang_rt.tsan", false, "ThreadSanitizer"},
    {"__tsan_init", true, "ThreadSanitizer"},
    {"__msan_init", true, "MemorySanitizer"},
    {"liblsan.so", false, "LeakSanitizer"},
    {"libubsan.so", false, "UndefinedBehaviorSanitizer"},
    {"__gcov_init", true, "coverage"},
    {"__llvm_profile_runtime", true, "coverage"},
    {"mcount", true, "profiling by gprof"},
    {"_mcount", true, "profiling by gprof"},
}};

/// Only without another sanitizer: Clang's runtimes of those contain its functions as well.
constexpr Mark kUndefined{"__ubsan_handle_", false, "UndefinedBehaviorSanitizer"};

bool has_mark(std::string_view table, const Mark& mark) {
  const std::string_view text = mark.text;
  for (std::size_t at = table.find(text); at != std::string_view::npos;
       at = table.find(text, at + 1)) {
    const std::size_t end = at + text.size();
    const bool begins = at == 0 || table[at - 1] == '\0';
    // Symbols of shared libraries may have a version: "mcount@GLIBC_2.2.5".
    const bool ends = end >= table.size() || table[end] == '\0' || table[end] == '@';
    if (begins && (ends || !mark.whole)) {
      return true;
    }
  }
  return false;
}

constexpr std::uint64_t kLargestPart = 64ull << 20;  // B

std::vector<Elf64_Shdr> sections_of(std::string_view file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  for (std::uint64_t i = 0; i < header.e_shnum && header.e_shentsize == sizeof(Elf64_Shdr); ++i) {
    const auto section = record_at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) {
      break;
    }
    sections.push_back(*section);
  }
  return sections;
}

/// Empty where it is not stored as it is, or not all in the file.
std::string_view section_text(std::string_view file, const Elf64_Shdr& section) {
  const bool stored = section.sh_type != SHT_NOBITS && (section.sh_flags & SHF_COMPRESSED) == 0 &&
                      section.sh_size <= kLargestPart && section.sh_offset <= file.size() &&
                      section.sh_size <= file.size() - section.sh_offset;
  return stored ? file.substr(section.sh_offset, section.sh_size) : std::string_view();
}

bool is_named(std::string_view names, const Elf64_Shdr& section, std::string_view name) {
  names = names.substr(std::min<std::size_t>(section.sh_name, names.size()));
  return names.substr(0, names.find('\0')) == name;
}

}  // namespace

std::vector<std::string> instruments_in(std::string_view string_table) {
  std::set<std::string> found;
  for (const Mark& mark : kMarks) {
    if (found.count(mark.instrument) == 0 && has_mark(string_table, mark)) {
      found.insert(mark.instrument);
    }
  }
  const bool sanitized =
      std::ranges::any_of(found, [](const std::string& one) { return one.ends_with("Sanitizer"); });
  if (!sanitized && has_mark(string_table, kUndefined)) {
    found.insert(kUndefined.instrument);
  }
  return {found.begin(), found.end()};
}

std::optional<bool> optimized_by(std::string_view debug_strings) {
  bool some = false, others = false;
  for (std::size_t at = 0; at < debug_strings.size();) {
    const std::size_t end = std::min(debug_strings.find('\0', at), debug_strings.size());
    const std::string_view text = debug_strings.substr(at, end - at);
    at = end + 1;
    const bool compiled = text.starts_with("GNU C") || text.starts_with("GNU Fortran") ||
                          text.starts_with("GNU GIMPLE");
    if (!compiled || text.find(" -") == std::string_view::npos) {
      continue;
    }
    // The last -O counts.
    const std::size_t level = text.rfind(" -O");
    const char digit = level != std::string_view::npos && level + 3 < text.size() ? text[level + 3]
                       : level == std::string_view::npos                          ? '0'
                                                                                  : '1';
    (digit == '0' || digit == 'g' ? others : some) = true;
  }
  return some == others ? std::nullopt : std::optional<bool>(some);
}

std::optional<ElfProgram> read_elf_program(const std::filesystem::path& path) {
  const MappedFile mapped(path);
  const std::string_view file = mapped.bytes();
  const auto header = record_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return std::nullopt;
  }
  const std::vector<Elf64_Shdr> sections = sections_of(file, *header);
  if (sections.empty()) {
    return std::nullopt;
  }
  const std::string_view names = header->e_shstrndx < sections.size()
                                     ? section_text(file, sections[header->e_shstrndx])
                                     : std::string_view();
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
