#pragma once

#include <map>
#include <string>
#include <vector>

#include "workloads/program/run_command.h"
#include "workloads/program/workload.h"

namespace perf::workloads {

/// One series that a suite runs. Blocks of one process need different names, so that of a sweep
/// bears its workload's as well: "inference/batched/batch_4".
struct SuiteSeries {
  const Workload* workload = nullptr;
  std::string name;
  RunRequest request;
};

/// The workloads whose name a pattern is or matches (`*` any run, `/` included; `?` any character),
/// or whose family it names; each once, in their own order, and all of them where there is no
/// pattern. Throws Error for a pattern that matches none, naming the nearest name.
std::vector<const Workload*> matching_workloads(const std::vector<Workload>& all,
                                                const std::vector<std::string>& patterns);

/// What a suite runs, in order. An option goes to every chosen workload that has it. Throws Error
/// for one that none has, naming the nearest that some have, and for a value that one of them does
/// not accept, naming the workload.
std::vector<SuiteSeries> read_suite_series(const std::vector<Workload>& all,
                                           const std::vector<std::string>& patterns,
                                           const std::map<std::string, std::string>& options);

}  // namespace perf::workloads
