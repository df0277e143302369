// The figures of docs/history.md: how long a report takes, how often a clean history is alarmed,
// and how near the false-alarm rate that a report tells is to the truth.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>

#include "analyzer/detector/change_points.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf {
namespace {

std::size_t alerts_in(const TrendReport& report) {
  std::size_t count = 0;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points)
      count += step.state == AlertState::fresh ? 1 : 0;
    count += series.trend && series.trend->state == AlertState::fresh ? 1 : 0;
  }
  return count;
}

void speed() {
  scripted::History history = scripted::history_of(5000);
  for (std::size_t i = 0; i < 200; ++i)
    scripted::add_series(history, "w" + std::to_string(i),
                         scripted::stepped(scripted::noisy(5000, 0.01, i), 2000 + 10 * i, 0.1));
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  const TrendReport report = trend(history.inputs());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("5,000 commits x 200 series: %.2f s, %.2f s of processor time, %zu alerts\n", seconds,
              static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC, alerts_in(report));
}

/// Every series moves with all others, again and again.
void many_events() {
  scripted::History history = scripted::history_of(5000);
  for (std::size_t i = 0; i < 200; ++i) {
    std::vector<double> values = scripted::noisy(5000, 0.01, i);
    for (std::size_t at = 50; at < 5000; at += 50)
      values = scripted::stepped(values, at, at % 100 == 0 ? 0.1 : 1 / 1.1 - 1);
    scripted::add_series(history, "w" + std::to_string(i), values);
  }
  const std::clock_t processor = std::clock();
  const TrendReport report = trend(history.inputs());
  std::printf("%zu machine events: %.2f s of processor time\n", report.machine_events.size(),
              static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
}

void clean_reports() {
  int alarmed = 0;
  double expected = 0;
  constexpr int kReports = 200;
  for (std::uint64_t seed = 1; seed <= kReports; ++seed) {
    scripted::History history = scripted::history_of(300);
    scripted::add_clean_series(history, 20, seed);
    const TrendReport report = trend(history.inputs());
    alarmed += alerts_in(report) > 0 ? 1 : 0;
    expected += report.false_alarms.expected / kReports;
  }
  std::printf("20 clean series x 300 commits: %d of %d reports with an alert; %.3f expected\n",
              alarmed, kReports, expected);
}

/// What reports on 20 series of 300 points tell, on average, and what they should.
void rates(test::Nature nature) {
  constexpr int kReports = 10;
  std::mt19937_64 random(11);
  double told = 0;
  for (int report = 0; report < kReports; ++report) {
    scripted::History history = scripted::history_of(300);
    for (int i = 0; i < 20; ++i)
      scripted::add_series(history, "w" + std::to_string(i),
                           test::times(test::noise_of(nature, 300, 0.01, random)));
    told += trend(history.inputs()).false_alarms.per_1000_points / kReports;
  }
  constexpr int kSeries = 4000;
  std::size_t alarms = 0;
  for (int i = 0; i < kSeries; ++i)
    alarms += find_steps(test::times(test::noise_of(nature, 300, 0.01, random))).size();
  std::printf("%-10s told %.3f true %.3f per 1,000 points\n", test::name_of(nature).c_str(), told,
              static_cast<double>(alarms) / kSeries / 0.3);
}

}  // namespace
}  // namespace perf

int main() {
  perf::speed();
  perf::many_events();
  for (const perf::test::Nature nature : perf::test::all_natures())
    perf::rates(nature);
  perf::clean_reports();
}
