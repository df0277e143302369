#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perf {

/// The library that holds memory for nothing in the programs that it is preloaded into
/// (collector/plant/plant_allocation.c), as it lies beside the running program. Throws Error where
/// it does not, or where its path cannot stand in LD_PRELOAD.
std::filesystem::path plant_library();

/// Why nothing can be preloaded into a command: its program, or the interpreter of its script, is
/// linked statically, is of another word size or runs as another user. Empty where nothing speaks
/// against it, which is all that can be known of what a shell will run. `search_path`: PATH, as for
/// the command itself.
std::string preload_obstacle(const std::vector<std::string>& command,
                             const std::filesystem::path& directory,
                             const std::string& search_path);

}  // namespace perf
