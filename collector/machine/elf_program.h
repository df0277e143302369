#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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

/// The instruments that a string table of symbols or libraries gives away: sanitizers by their
/// libraries and start-up functions, coverage and profiling by theirs.
std::vector<std::string> instruments_in(std::string_view string_table);

/// Whether the compilers that noted their options in a .debug_str section were told to optimize:
/// GCC writes "GNU C++17 12.2.0 -mtune=generic -O2 -g". Absent where none did, or where some were
/// and some were not (a program and its libraries). -Og counts as not.
std::optional<bool> optimized_by(std::string_view debug_strings);

}  // namespace perf
