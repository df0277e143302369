#pragma once

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// What of an ELF file is loaded, and what lies around it.
struct Elf {
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments{};
  std::vector<Elf64_Shdr> sections{};
  std::uint64_t end = 0;  ///< of its last part, B
};

/// Nothing of what is no 64-bit little-endian ELF file that can be executed or loaded.
std::optional<Elf> read_elf(std::string_view bytes);

/// The ELF file of which only what is loaded counts; nothing where all of the bytes do.
std::optional<Elf> loaded_elf(std::string_view bytes, bool loaded);

/// The bytes with what linking alone decides blanked: build ids, and where the sections' table is.
std::string with_blanks(std::string_view bytes, const Elf& elf);

/// The loaded section that a person would name of those that differ; empty where none is known to.
std::string differing_section(const std::string& one, const Elf& of_one, const std::string& other,
                              const Elf& of_other);

}  // namespace perf
