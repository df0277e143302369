#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/program/parameter.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// A workload as `list` and `describe` show it and as `run` runs it.
struct Workload {
  std::string name;     ///< family/name
  std::string summary;  ///< one sentence
  std::vector<Parameter> parameters;
  std::vector<std::string> phases;
  std::vector<std::string> metrics;                        ///< beside step_time and peak_rss
  std::vector<std::string> metrics_of_some_machines = {};  ///< in a line of their own: energy
  std::vector<std::string> checks;
  /// Takes the wanted steps and reports metrics, checks and environment. `settings` holds a value
  /// for every parameter. Throws Error for settings that do not go together.
  void (*run)(const Settings& settings, perf_compare::StepEmitter& out) = nullptr;
};

/// All workloads, sorted by name.
const std::vector<Workload>& workloads();

/// Throws Error naming the nearest name if there is none.
const Workload& workload_named(std::string_view name);

/// The parameters that every workload has: steps, warmup, seed, threads, and what can be planted.
std::vector<Parameter> common_parameters();

}  // namespace perf::workloads
