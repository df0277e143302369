#pragma once

#include <string>
#include <vector>

namespace perf::reporter {

/// A row of block characters, lowest to highest value; empty for fewer than two finite values.
std::string sparkline(const std::vector<double>& values);

}  // namespace perf::reporter
