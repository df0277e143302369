#pragma once

#include <vector>

#include "reporter/document.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {

/// The sentence that decides, and what to do where there is nothing to tell yet: "2 new alerts:
/// `parser` is slower, step_time +12.4 % [+10.9, +13.8] at 3f2a9c01d2e4 Use a map; 1 known, 1
/// recovered; 198 of 200 series did not move since 2026-01-01". A machine event that is new is the
/// news where there is no new alert.
std::vector<Prose> trend_headline(const TrendDigest& trend);

/// bad: new alerts; unsettled: known ones, machine events, suspects, or nothing to tell from.
Mood trend_mood(const TrendDigest& trend);

}  // namespace perf::reporter
