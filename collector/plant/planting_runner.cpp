#include "collector/plant/planting_runner.h"

#include <cstdint>
#include <string>
#include <utility>

#include "collector/process/workload_runner.h"
#include "collector/this_process.h"

namespace perf {
namespace {

constexpr const char* kPreload = "LD_PRELOAD";

/// Of one length on both sides, because the size of the environment moves the stack.
std::string fixed_width(std::uint64_t number) {
  constexpr std::size_t kDigits = 20;
  const std::string text = std::to_string(number);
  return std::string(kDigits - text.size(), '0') + text;
}

/// The user's libraries stay first, because a sanitizer's must be.
std::string with_library(const std::filesystem::path& library, const ProcessRequest& request) {
  std::string before = environment_variable(kPreload).value_or("");
  for (const auto& [name, value] : request.environment) {
    before = name == kPreload ? value : before;
  }
  return before.empty() ? library.string() : before + ":" + library.string();
}

}  // namespace

ProcessRequest planted_request(ProcessRequest request, const Plant& plant, Side side,
                               const std::filesystem::path& library) {
  if (plant.way == PlantWay::stop_and_go && side == Side::head) {
    request.stop_and_go = {plant.amount, plant.period};
  }
  if (plant.way == PlantWay::preload && !request.beside) {
    const auto bytes = side == Side::head ? static_cast<std::uint64_t>(plant.amount) : 0;
    request.environment.emplace_back(kPreload, with_library(library, request));
    request.environment.emplace_back("PERF_COMPARE_PLANT_ALLOCATION", fixed_width(bytes));
  }
  return request;
}

PlantingRunner::PlantingRunner(RunProcess run_process, std::vector<Plant> plants,
                               std::filesystem::path library)
    : run_process_(std::move(run_process)),
      plants_(std::move(plants)),
      library_(std::move(library)) {}

Invocation PlantingRunner::run(const Workload& workload, const std::filesystem::path& directory,
                               Invocation invocation) {
  const Side side = invocation.side;
  WorkloadRunner runner([&](const ProcessRequest& request) {
    for (const Plant& plant : plants_) {
      if (plant.workload == workload.name) {
        return run_process_(planted_request(request, plant, side, library_));
      }
    }
    return run_process_(request);
  });
  return runner.run(workload, directory, std::move(invocation));
}

}  // namespace perf
