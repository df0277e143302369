#include "tests/analyzer/trend/common_histories.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

#include "analyzer/trend/trend.h"

namespace perf::scripted {
namespace {

constexpr std::size_t kNearEnd = 40;  ///< nights

/// ln of what all series have in common, by night.
std::vector<double> common_of(const Thirty& of, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> even;
  std::vector<double> common(of.nights);
  double last = 0, slow = 0;
  for (std::size_t night = 0; night < of.nights; ++night) {
    switch (of.common) {
      case Common::nothing:
        break;
      case Common::walk:
        last += of.common_noise * normal(random);
        break;
      case Common::correlated:
        last = 0.8 * last + 0.6 * of.common_noise * normal(random);
        break;
      case Common::slow_nights:
        slow = even(random) < 0.5 ? slow : 0;  // for two nights on average
        slow = slow == 0 && even(random) < 0.1 ? 0.2 * even(random) : slow;
        last = slow;
        break;
      case Common::louder:
        last = (night + 10 < of.nights ? 1 : 3) * of.common_noise * normal(random);
        break;
    }
    common[night] = last;
  }
  return common;
}

}  // namespace

std::vector<Common> all_commons() {
  return {Common::nothing, Common::walk, Common::correlated, Common::slow_nights, Common::louder};
}

std::string name_of(Common common) {
  constexpr const char* kNames[] = {"nothing", "walk", "correlated", "slow nights", "louder"};
  return kNames[static_cast<std::size_t>(common)];
}

History thirty_series(const Thirty& of, std::uint64_t seed) {
  constexpr std::size_t kSeries = 30;
  std::mt19937_64 random(seed);
  History history = history_of(of.nights);
  const std::vector<double> common = common_of(of, random);
  for (std::size_t i = 0; i < kSeries; ++i) {
    std::vector<double> values = noisy(of.nights, 0.03, random());
    for (std::size_t night = 0; night < of.nights; ++night) {
      values[night] *= std::exp(common[night]);
    }
    const bool moves = static_cast<double>(i) < of.share * static_cast<double>(kSeries);
    add_series(history, "w" + std::to_string(10 + i),
               moves ? stepped(values, of.nights - of.young, of.change) : values);
  }
  return history;
}

ReportsOfThirty reports_of(const Thirty& of, int histories) {
  ReportsOfThirty reports;
  for (int seed = 1; seed <= histories; ++seed) {
    const TrendReport report = report_on(thirty_series(of, static_cast<std::uint64_t>(seed)));
    std::size_t alerts = 0;
    for (const TrendSeries& series : report.series) {
      alerts += static_cast<std::size_t>(
          std::ranges::count_if(series.change_points, [&](const ChangePoint& step) {
            return step.state == AlertState::fresh && step.index + kNearEnd >= of.nights;
          }));
    }
    const auto common = std::ranges::count_if(
        report.machine_events, [](const MachineEvent& event) { return event.evidence > 0; });
    reports.common += common > 0 ? 1 : 0;
    reports.others += common < std::ssize(report.machine_events) ? 1 : 0;
    reports.one += report.machine_events.size() == 1 && alerts == 0 ? 1 : 0;
  }
  return reports;
}

}  // namespace perf::scripted
