#include "workloads/program/workload.h"

#include <utility>

#include "workloads/program/plant.h"
#include "workloads/program/seed.h"

namespace perf::workloads {

std::vector<Parameter> common_parameters() {
  std::vector<Parameter> common = {
      integer("steps", {8, 8, 3}, 1, 1'000'000, "timed steps (else PERF_COMPARE_STEPS)"),
      integer("warmup", {2, 2, 1}, 0, 1'000'000, "untimed steps first (else PERF_COMPARE_WARMUP)"),
      integer("seed", {1, 1, 1}, 0, kMostSeed, "of all random numbers (else PERF_COMPARE_SEED)"),
      integer("threads", {0, 0, 0}, 0, 1024, "0: as many as this process may use"),
  };
  for (Parameter& plant : plant_parameters()) {
    common.push_back(std::move(plant));
  }
  return common;
}

std::vector<Parameter> all_parameters(const Workload& workload) {
  std::vector<Parameter> parameters = workload.parameters;
  for (Parameter& parameter : common_parameters()) {
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

}  // namespace perf::workloads
