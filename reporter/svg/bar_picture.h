#pragma once

#include <string>
#include <vector>

#include "schema/report.h"

namespace perf::reporter::svg {

/// Bars of base and head for every workload that has `metric` on both sides. Every workload's base
/// is 100 %, because bars start at zero and workloads differ by magnitudes; the values are written
/// beside them. Empty where no workload has both.
std::string bar_picture(const std::vector<Comparison>& comparisons, const Metric& metric);

}  // namespace perf::reporter::svg
