#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/collect.h"
#include "collector/process/process.h"
#include "schema/selftest.h"

namespace perf {

/// Runs workloads as WorkloadRunner does, and plants at head what is to be planted from outside:
/// stops and continues the process, or preloads the library that holds memory. Base has the library
/// as well, and holds nothing with it, so that the sides differ in the allocation alone.
class PlantingRunner : public Runner {
 public:
  /// `library`: of plant_library(); may be empty where nothing is preloaded.
  PlantingRunner(RunProcess run_process, std::vector<Plant> plants, std::filesystem::path library);

  /// Throws as WorkloadRunner does.
  Invocation run(const Workload& workload, const std::filesystem::path& directory,
                 Invocation invocation) override;

 private:
  RunProcess run_process_;
  std::vector<Plant> plants_;
  std::filesystem::path library_;
};

/// What the request becomes under a plant, on one side.
ProcessRequest planted_request(ProcessRequest request, const Plant& plant, Side side,
                               const std::filesystem::path& library);

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
