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

/// CMAKE_BUILD_TYPE of a CMakeCache.txt: "Release", "Debug"; "none" where it is empty and no flags
/// enable optimization. Absent where it is unknown (several configurations, flags that optimize
/// without a type).
std::optional<std::string> parse_build_type(std::string_view cmake_cache);

/// How the programs of workloads were built, each program once. A command is searched in `trees`,
/// or in PATH where it has no slash; CMakeCache.txt in the program's folder and its parents, up to
/// the tree.
std::vector<ProgramState> read_programs(const std::vector<Workload>& workloads,
                                        const std::vector<std::filesystem::path>& trees,
                                        const GetVariable& variable);

/// The program that exec would find in PATH, as child.cpp does: not in relative folders. Empty
/// where there is none.
std::filesystem::path find_in_path(const std::string& program, const std::string& search_path);

/// Whether a program is in PATH; absent where PATH is not set.
std::optional<bool> is_in_path(const std::string& program, const GetVariable& variable);

/// How an ELF file was built.
struct ElfProgram {
  std::vector<std::string> instruments;  ///< "AddressSanitizer", "coverage", ...: sorted
  std::optional<bool> optimized;         ///< absent where no compiler recorded its options
};

/// Reads the symbols and the compilers' options in a 64-bit little-endian ELF file (elf(5)). Absent
/// for anything else (scripts, damaged files, pipes). Sections that are compressed or larger than
/// 64 MiB are ignored.
std::optional<ElfProgram> read_elf_program(const std::filesystem::path& file);

/// The instruments that a string table of symbols or libraries shows: sanitizers, coverage and
/// profiling by their libraries and start-up functions.
std::vector<std::string> instruments_in(std::string_view string_table);

/// Whether the compilers that recorded their options in a .debug_str section optimized: GCC writes
/// "GNU C++17 12.2.0 -mtune=generic -O2 -g". Absent where none did, or where only some optimized (a
/// program and its libraries). -Og does not count as optimizing.
std::optional<bool> optimized_by(std::string_view debug_strings);

}  // namespace perf
