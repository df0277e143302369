#pragma once

#include <map>
#include <string>
#include <vector>

#include "workloads/program/workload.h"

namespace perf::workloads {

struct SuiteAnswer {
  std::string table;  ///< suite_table.h
  /// The exit status: 3 where a workload could not run; 1 where a check failed, unless
  /// PERF_COMPARE_OUT is set: who reads the steps holds the check against the other side's.
  int status = 0;
};

/// Runs the workloads that the patterns choose (suite_choice.h) one after the other in this
/// process, with a bar on standard error where that is a terminal, and writes each one's block as
/// it ends where PERF_COMPARE_OUT says. What one of them throws while it runs stands in the table,
/// and the others run. The memory of one is given back before the next begins. Throws Error for bad
/// patterns and options, std::runtime_error where the blocks cannot be written, both before
/// anything runs.
SuiteAnswer suite_answer(const std::vector<Workload>& all, const std::vector<std::string>& patterns,
                         const std::map<std::string, std::string>& options);

}  // namespace perf::workloads
