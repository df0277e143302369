#pragma once

#include <cstdint>
#include <string>

namespace perf::reporter {

/// How values of one row are written: all in one unit, with the same number of decimals.
struct Scale {
  double factor = 1;   ///< value / factor is what is shown
  std::string suffix;  ///< " ms"; a unit we do not know comes from data and is escaped like it
  int decimals = 0;
};

/// The scale for values of a base unit: s, B, 1/s and 1 are scaled (ns to h, KiB to TiB, k/s to
/// G/s, from a million on M to T), other units are left alone. Pass the same value twice for one
/// alone. Three significant digits, four where the two differ by less than `kCloseValues`;
/// non-finite values are ignored.
Scale scale_for(double a, double b, const std::string& unit);

/// "412 ms". Never in scientific notation, never locale-dependent; "-" for what is not finite.
std::string scaled(double value, const Scale& scale);

/// "412 ms": one value with its own scale.
std::string quantity(double value, const std::string& unit);

/// "412 ms -> 471 ms", both in one unit.
std::string quantities(double base, double head, const std::string& unit);

/// "3 min 36 s", for how long something took.
std::string elapsed(double seconds);

/// "60", "1,200": two significant digits, rounded up, because it is an estimate of what is enough.
std::string rough_count(double count);

/// "200,000".
std::string grouped_digits(std::uint64_t count);

/// A number with that many decimals. No "-0.0": what rounds to zero is zero.
std::string fixed(double value, int decimals);

}  // namespace perf::reporter
