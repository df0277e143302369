#pragma once

#include <vector>

namespace perf::workloads {

/// Median; 0 of nothing.
double median(std::vector<double> values);

}  // namespace perf::workloads
