#pragma once

#include <string>

#include "reporter/trend/histories.h"
#include "schema/trend.h"

namespace perf::reporter::html {

/// What the script needs of the line of commits, for every series: JSON, safe within a script.
/// {"oid": [12 digits], "subject": [], "day": [], "at": [position less the one before], "pins":
/// [[position, name, text]], "events": [[from, to, text]]}. Texts are in their visible form.
std::string line_data(const Histories& histories);

/// What the script needs of one series. Values are whole numbers of 10^`exponent` less `base`, six
/// significant digits of the median and what outliers need: two million of them are a file that
/// can be mailed. `at` has the commits of the points as runs: first index, count, ...
std::string series_data(const Histories& histories, const TrendSeries& series,
                        const SeriesHistory& history);

}  // namespace perf::reporter::html
