#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What a suite says of one series when all have run.
struct SuiteRow {
  std::string name;
  std::string failure;                    ///< why it could not run; then the rest says nothing
  double step_time = 0;                   ///< s, median
  double gemm_share = 0, read_share = 0;  ///< 0: it does not report that one
  bool unknown_share = false;             ///< it reports a rate of reading that can be no yardstick
  std::uint64_t peak_rss = 0;             ///< B, the most after any of its steps; 0: unknown
  double energy = 0;                      ///< J a step; 0: not told
  bool lacks_energy = false;              ///< it would tell, but the machine does not
  int checks_passed = 0;
  std::vector<std::string> checks_failed;  ///< their names
};

SuiteRow row_of(const perf_compare::StepEmitter& out);
/// The text of an exception stands in it as one line.
SuiteRow row_of_failure(const std::string& name, const std::string& what);

/// A line a series under a header, with energy where a series tells it, and a sentence that counts;
/// that there is no energy counter is said once. `elapsed` is in s.
std::string suite_table(const std::vector<SuiteRow>& rows, double elapsed);

/// "0:07", "1:02:03".
std::string clock_text(double seconds);

}  // namespace perf::workloads
