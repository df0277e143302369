#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "collector/machine/surroundings.h"
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

}  // namespace perf
