#pragma once

#include <string>

#include "schema/report.h"

namespace perf::reporter {

/// The changes within a threshold t. Verdicts are reached on ln(head/base), so that it is as far
/// down as up in ratios, not in percent: from 1/(1 + t) - 1 to t.
Interval threshold_band(double threshold);

/// "10 %"; where the comparison went down "10 % (-9.1 %)": where that threshold lies on its side.
std::string threshold_phrase(const Comparison& comparison);

}  // namespace perf::reporter
