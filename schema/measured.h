#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schema/invocation.h"
#include "schema/param.h"

namespace perf {

/// The measurements of one process that counts, for a picture.
struct MeasuredProcess {
  Side side = Side::head;
  int pair = 0;                            ///< 0-based
  std::int64_t start_order = 0;            ///< 0-based over the whole run
  std::vector<Step> steps;                 ///< in order, warm-up too; without phases
  std::map<std::string, double> values{};  ///< metric -> value of this process, base unit
};

/// The raw measurements behind the comparisons of one workload.
struct MeasuredWorkload {
  std::string workload;  ///< as in Comparison
  Params params;         ///< as in Comparison: head's, where two settings are compared
  std::vector<MeasuredProcess> processes;  ///< in start order
};

}  // namespace perf
