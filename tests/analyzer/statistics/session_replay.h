#pragma once

#include <cstdint>

namespace perf::replay {

/// Reports over sessions of different days, judged by the rule as it ships. The noise of a session
/// follows the session before it: a first-order autoregression.
struct SessionScenario {
  int sessions = 8;          ///< a side
  double correlation = 0;    ///< of a session with the next
  bool heavy_tails = false;  ///< t with 3 degrees of freedom in place of normal
  double deviation = 0.02;   ///< of a session, ln
  double threshold = 0.10;
  double change = 0;    ///< true change, in units of the threshold
  int comparisons = 1;  ///< m
  int reports = 3000;
  double alpha = 0.01;
  std::uint64_t seed = 20240229;
};

struct SessionOutcome {
  int reports_with_regressed = 0;
  int reports_with_unchanged = 0;
  double regressed = 0, unchanged = 0, inconclusive = 0;  ///< shares of the comparisons
  double mean_widening = 0;
};

SessionOutcome run(const SessionScenario& scenario);

}  // namespace perf::replay
