#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perf {

/// What an ELF file tells of how it was built.
struct ElfProgram {
  std::vector<std::string> instruments;  ///< "AddressSanitizer", "coverage", ...: sorted
  std::optional<bool> optimized;         ///< absent where no compiler noted its options
};

/// Reads the names and the notes of compilers in a 64-bit little-endian ELF file (elf(5)). Absent
/// for anything else (scripts, damaged files, pipes). Parts larger than 64 MiB and compressed ones
/// are passed over.
std::optional<ElfProgram> read_elf_program(const std::filesystem::path& file);

}  // namespace perf
