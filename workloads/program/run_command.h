#pragma once

#include <map>
#include <string>
#include <vector>

#include "workloads/program/workload.h"

namespace perf::workloads {

/// What `run` is asked for, complete and valid.
struct RunRequest {
  Settings settings;
  perf_compare::Wanted wanted;    ///< options win over PERF_COMPARE_*, those over the defaults
  perf_compare::Fields identity;  ///< the begin line's params: size, and what tells series apart
};

/// Throws Error for bad options.
RunRequest read_run_request(const Workload& workload,
                            const std::map<std::string, std::string>& options);

/// One series of a run: its name is the workload's where the run is one series.
struct NamedRequest {
  std::string name;
  RunRequest request;
};

/// All series of a run, at least one. Throws Error for bad options.
std::vector<NamedRequest> read_run_requests(const Workload& workload,
                                            const std::map<std::string, std::string>& options);

/// Runs one series and appends its block where PERF_COMPARE_OUT says. `name` is that of the block.
perf_compare::StepEmitter run_series(const Workload& workload, const std::string& name,
                                     const RunRequest& request);

/// Runs a workload with command-line options, writes the protocol's lines where PERF_COMPARE_OUT
/// says, and returns what was measured, one for each series. Throws Error for bad options: of all
/// series before the first one runs.
std::vector<perf_compare::StepEmitter> run_workload(
    const Workload& workload, const std::map<std::string, std::string>& options);

/// Whether it would tell the energy of its steps, and the machine does not: said once of all.
bool lacks_energy(const Workload& workload, const perf_compare::StepEmitter& measured);
inline constexpr const char* kNoEnergy = "no energy counter here\n";

/// The same as people read it.
std::string run_answer(const Workload& workload, const std::map<std::string, std::string>& options);

}  // namespace perf::workloads
