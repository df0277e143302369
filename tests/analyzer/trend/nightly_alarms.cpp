#include "tests/analyzer/trend/nightly_alarms.h"

#include <algorithm>
#include <iterator>
#include <random>

#include "analyzer/detector/change_points.h"
#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/false_alarms.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

std::size_t night_before_first(std::size_t points) {
  return points - std::min(points, kNightsSearched);
}

struct SeenStep {
  std::size_t index = 0;
  double evidence = 0;
  bool is_counted = false;  ///< not there already before the first night
};

}  // namespace

std::vector<double> nightly_alarms(const std::vector<double>& values) {
  std::vector<SeenStep> seen;
  const std::size_t before = night_before_first(values.size());
  for (std::size_t night = before; night <= values.size(); ++night) {
    const std::vector<double> prefix(values.begin(),
                                     values.begin() + static_cast<std::ptrdiff_t>(night));
    for (const FoundStep& step : find_steps(prefix)) {
      const auto known = std::ranges::find_if(seen, [&](const SeenStep& other) {
        return step.index <= other.index + kWobble && other.index <= step.index + kWobble;
      });
      if (known != seen.end()) {
        known->evidence = std::max(known->evidence, step.z);
      } else if (step.change > 0) {
        seen.push_back({step.index, step.z, night > before});
      }
    }
  }
  std::vector<double> alarms;
  for (const SeenStep& step : seen) {
    if (step.is_counted) {
      alarms.push_back(step.evidence);
    }
  }
  return alarms;
}

double ReplayedNights::per_1000(double evidence) const {
  const auto count =
      std::ranges::count_if(alarms, [evidence](double alarm) { return alarm >= evidence; });
  return 1000 * static_cast<double>(count) / static_cast<double>(nights);
}

ReplayedNights replayed_nights(std::size_t series, std::uint64_t seed) {
  ReplayedNights replayed;
  std::mt19937_64 random(seed);
  for (const std::size_t points : {50U, 120U, 300U}) {
    for (const Nature nature : all_natures()) {
      for (std::size_t i = 0; i < series; ++i) {
        std::ranges::copy(nightly_alarms(times(noise_of(nature, points, 0.01, random))),
                          std::back_inserter(replayed.alarms));
      }
      replayed.nights += series * (points - night_before_first(points));
    }
  }
  return replayed;
}

}  // namespace perf::test
