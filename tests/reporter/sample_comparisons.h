#pragma once

#include <string>

#include "schema/report.h"

namespace perf::samples {

/// Statistics that fit a median and a coefficient of variation.
SideStats side(double median, double cov, int invocations, int steps);

/// One judged comparison of step_time with medians, change and interval that fit each other.
Comparison step_time(const std::string& workload, double base_median, double change,
                     double half_width, Verdict verdict);
Comparison peak_rss(const std::string& workload, double base_median, double change,
                    double half_width, Verdict verdict);

/// Measured on one side only, or on none; the reason is its warning.
Comparison unmatched(const std::string& workload, Verdict verdict, const std::string& reason);

/// A note with this text.
Warning note_of(const std::string& text);

/// A metric that is reported, not judged.
Comparison tokens_per_second();

}  // namespace perf::samples
