#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/collect.h"
#include "collector/process/process.h"
#include "schema/selftest.h"

namespace perf {

/// Runs workloads as WorkloadRunner, and plants changes at head from outside: stops and continues
/// the process and its server, each by itself: where one waits for the other, only one of the two
/// delays counts. Or preloads the library that allocates memory into the process. Base preloads the
/// library as well, without an allocation, so that the sides differ only in that.
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

/// The request with a plant, for one side.
ProcessRequest planted_request(ProcessRequest request, const Plant& plant, Side side,
                               const std::filesystem::path& library);

/// The library that allocates unused memory in programs that preload it
/// (collector/plant/plant_allocation.c), beside the running program. Throws Error where it is
/// missing, or where its path is not possible in LD_PRELOAD.
std::filesystem::path plant_library();

/// Why nothing can be preloaded into a command: its program, or the interpreter of its script, is
/// linked statically, has another word size or runs as another user. Empty where no obstacle is
/// known; what a shell will run is unknown. `search_path`: PATH, as for the command itself.
std::string preload_obstacle(const std::vector<std::string>& command,
                             const std::filesystem::path& directory,
                             const std::string& search_path);

}  // namespace perf
