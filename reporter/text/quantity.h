#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schema/report.h"

namespace perf::reporter {

/// How values of one row are written: all in one unit, with the same number of decimals.
struct Scale {
  double factor = 1;   ///< value / factor is what is shown
  std::string suffix;  ///< " ms"; a unit we do not know comes from data and is escaped like it
  int decimals = 0;
};

/// The scale for values of a base unit: s, B, 1/s, 1 and X/s are scaled (ns to h, KiB to TiB, k/s
/// to T/s, from a million on M to T), other units, and rates of a scaled unit such as MB, are left
/// alone. Pass one value twice where there is no other. Three significant digits, four where the
/// two differ by less than `kCloseValues`; non-finite values are ignored.
Scale scale_for(double a, double b, const std::string& unit);

/// "412 ms". Never in scientific notation, never locale-dependent; "-" for what is not finite.
std::string scaled(double value, const Scale& scale);

/// "412 ms": one value with its own scale.
std::string quantity(double value, const std::string& unit);

/// "412 ms -> 471 ms", both in one unit.
std::string quantities(double base, double head, const std::string& unit);

/// "3 min 36 s", for how long something took.
std::string elapsed(double seconds);

/// "90s", "4m": a value of --budget that is enough for what is expected to take so long, with a
/// fifth more: the pilot may choose more steps.
std::string budget_option(double seconds);

/// "60", "1,200": two significant digits, rounded up, because it is an estimate of what is enough.
std::string rough_count(double count);

/// "200,000".
std::string grouped_digits(std::uint64_t count);

/// A number with that many decimals. No "-0.0": what rounds to zero is zero.
std::string fixed(double value, int decimals);

/// "2.5" of "2.50", "3" of "3.00".
std::string without_zeros(std::string number);

/// "0.06": two significant digits at most, never in scientific notation.
std::string rate_text(double rate);

/// "10 %" or "2.5 %": a bound, without needless zeros.
std::string percentage(double share);

/// "1.7 %": two significant digits, rounded up, for what could just have been seen.
std::string rough_percentage(double share);

/// "+14.3 % [+12.1, +16.0]": one decimal, two below 1 %, none from 100 % on; without an interval
/// the change alone, without a change "-".
std::string change_text(const std::optional<double>& change,
                        const std::optional<Interval>& interval = std::nullopt);

/// The changes within a threshold t. Verdicts are reached on ln(head/base), so that it is as far
/// down as up in ratios, not in percent: from 1/(1 + t) - 1 to t.
Interval threshold_band(double threshold);

/// "10 %"; where the comparison went down "10 % (-9.1 %)": where that threshold lies on its side.
std::string threshold_phrase(const Comparison& comparison);

}  // namespace perf::reporter
