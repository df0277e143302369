#pragma once

#include <optional>
#include <string>

#include "schema/report.h"

namespace perf::reporter {

/// "10 %" or "2.5 %": a bound, without needless zeros.
std::string percentage(double share);

/// "1.7 %": two significant digits, rounded up, for what could just have been seen.
std::string rough_percentage(double share);

/// "+14.3 % [+12.1, +16.0]": one decimal, two below 1 %, none from 100 % on; without an interval
/// the change alone, without a change "-".
std::string change_text(const std::optional<double>& change,
                        const std::optional<Interval>& interval = std::nullopt);

}  // namespace perf::reporter
