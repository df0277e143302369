#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/machine/environment.h"
#include "schema/machine_state.h"
#include "schema/workload.h"

namespace perf {

/// CMAKE_BUILD_TYPE as a CMakeCache.txt says it: "Release", "Debug"; "none" where it is empty and
/// no flags ask for optimization either. Absent where the file does not say (several
/// configurations, flags that optimize without a type).
std::optional<std::string> parse_build_type(std::string_view cmake_cache);

/// What the programs that workloads run tell of themselves, each program once. A command is looked
/// for in the first of `trees` that has it, or in PATH where it has no slash; CMakeCache.txt in the
/// program's folder and those above it, up to the tree.
std::vector<ProgramState> read_programs(const std::vector<Workload>& workloads,
                                        const std::vector<std::filesystem::path>& trees,
                                        const GetVariable& variable);

/// The program of that name that exec would run by PATH, as child.cpp finds it: not in relative
/// folders. Empty where there is none.
std::filesystem::path find_in_path(const std::string& program, const std::string& search_path);

/// Whether a program of that name stands in PATH; absent where PATH is not set.
std::optional<bool> is_in_path(const std::string& program, const GetVariable& variable);

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
