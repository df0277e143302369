#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/report.h"

namespace perf::reporter::svg {

/// head/base at one size.
struct RatioPoint {
  double size = 0;
  double ratio = 1;
  std::optional<Interval> interval{};  ///< of the ratio
};

/// Comparisons of one workload and metric that differ in one number.
struct RatioLine {
  std::string name;       ///< the workload, with `*` where the number stood
  std::string parameter;  ///< "layers"; empty where the number is a part of the name
  Metric metric;
  std::vector<RatioPoint> points{};  ///< by size, ascending, no size twice; at least two
};

/// What differs in one number: a parameter (`--vary layers=1,2,4`: the first value is the base of
/// the others, and is 1 on the line), or a number that is a part of the name (`BM_sort/1024`,
/// `BM_sort/4096`). By name, then metric.
std::vector<RatioLine> ratio_lines(const std::vector<Comparison>& comparisons);

}  // namespace perf::reporter::svg
