#pragma once

#include <map>
#include <string>
#include <vector>

#include "workloads/program/parameter.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// One series of a workload that measures several in one run.
struct Series {
  std::string name;                             ///< of its block in the protocol: "batch_4"
  std::map<std::string, std::string> settings;  ///< what it has in place of the run's
};

/// A workload as `list` and `describe` show it and as `run` runs it.
struct Workload {
  std::string name;     ///< family/name
  std::string summary;  ///< one sentence
  std::vector<Parameter> parameters;
  std::vector<std::string> phases;
  std::vector<std::string> metrics;                        ///< beside step_time and peak_rss
  std::vector<std::string> metrics_of_some_machines = {};  ///< in a line of their own: energy
  std::vector<std::string> checks;
  /// The series of one run, where a run measures several (a sweep: a parameter that takes a list).
  /// None, or one: the run is one series.
  std::vector<Series> (*series)(const Settings& settings) = nullptr;
  /// Takes the wanted steps and reports metrics, checks and environment. `settings` holds a value
  /// for every parameter; with several series it is called once for each, with its own. Throws
  /// Error for settings that do not go together.
  void (*run)(const Settings& settings, perf_compare::StepEmitter& out) = nullptr;
};

/// The parameters that every workload has: steps, warmup, seed, threads, and what can be planted.
std::vector<Parameter> common_parameters();

/// Its own and the common ones.
std::vector<Parameter> all_parameters(const Workload& workload);

}  // namespace perf::workloads
