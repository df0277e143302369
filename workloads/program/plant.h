#pragma once

#include <cstddef>

#include "workloads/program/parameter.h"

namespace perf::workloads {

/// What `perf-compare selftest` asks a workload to do on purpose: be slower, need more memory.
struct Planted {
  double slowdown = 0;         ///< share of each step's own time that is added to it
  std::size_t allocation = 0;  ///< B held through the run
};

/// The parameters plant-slowdown and plant-allocation, which every workload has.
std::vector<Parameter> plant_parameters();
Planted planted(const Settings& settings);

/// Says on the environment line what can be planted, and what has been.
void describe_plants(const Planted& plants, perf_compare::StepEmitter& out);

/// Memory that is resident as long as the object lives. Throws Error where there is too little.
class PlantedMemory {
 public:
  explicit PlantedMemory(std::size_t bytes);
  ~PlantedMemory();
  PlantedMemory(const PlantedMemory&) = delete;
  PlantedMemory& operator=(const PlantedMemory&) = delete;

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
};

}  // namespace perf::workloads
