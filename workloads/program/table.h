#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/program/workload.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What `run` prints: the step with its phases, the metrics in people's units (shares in percent),
/// the checks. Of the `parameters` that are 0 by themselves nothing is said where they are 0.
/// `before` stands before the name: of a series, whose it is.
std::string run_table(const perf_compare::StepEmitter& out,
                      const std::vector<Parameter>& parameters, const std::string& before = "");

/// What `list` (the families apart) and `describe` print.
std::string list_table(const std::vector<Workload>& workloads);
std::string description(const Workload& workload);

/// Characters of the names' column; more where a name is longer.
inline constexpr std::size_t kNameWidth = 30;

/// "12.3 ms", "476 GFLOP/s", "2.04 /s": three digits and the unit that suits the size.
std::string scaled(double value, const std::string& unit);

}  // namespace perf::workloads
