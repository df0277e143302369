#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::test {

/// What looking at a series every night for its last 100 comes to: of each new alert (a step up)
/// the most evidence that it showed on any of the nights.
std::vector<double> nightly_alarms(const std::vector<double>& values);

/// Clean series looked at so.
struct ReplayedNights {
  std::uint64_t nights = 0;
  std::vector<double> alarms;  ///< of each its evidence

  /// Alarms of so much evidence or more, per 1,000 nights.
  double per_1000(double evidence) const;
};

/// `series` clean ones of each nature and of each of 50, 120 and 300 points.
ReplayedNights replayed_nights(std::size_t series, std::uint64_t seed);

}  // namespace perf::test
