// The figures of docs/trend.md: how long a report takes, how often a clean history is alarmed,
// and how near the false-alarm rate that a report tells is to the truth. With the argument
// `common`: steps that most series of a machine share; with `tails`: changed tails; each in
// minutes.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/trend/false_alarms.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/detector/synthetic_series.h"
#include "tests/analyzer/trend/common_histories.h"
#include "tests/analyzer/trend/nightly_alarms.h"
#include "tests/analyzer/trend/scripted_history.h"
#include "tests/analyzer/trend/tail_histories.h"

namespace perf {
namespace {

std::size_t alerts_in(const TrendReport& report) {
  std::size_t count = scripted::steps_in(report, AlertState::fresh);
  for (const TrendSeries& series : report.series) {
    count += series.trend && series.trend->state == AlertState::fresh ? 1 : 0;
  }
  return count;
}

void speed() {
  scripted::History history = scripted::history_of(5000);
  for (std::size_t i = 0; i < 200; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         scripted::stepped(scripted::noisy(5000, 0.01, i), 2000 + 10 * i, 0.1));
  }
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
    for (std::size_t at = 50; at < 5000; at += 50) {
      values = scripted::stepped(values, at, at % 100 == 0 ? 0.1 : 1 / 1.1 - 1);
    }
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

/// What reports on 20 series of so many points tell, on average, and what they should.
void rates(test::Nature nature, std::size_t points) {
  constexpr int kReports = 4;
  std::mt19937_64 random(11);
  double told = 0, told_nightly = 0;
  for (int report = 0; report < kReports; ++report) {
    scripted::History history = scripted::history_of(points);
    for (int i = 0; i < 20; ++i) {
      scripted::add_series(history, "w" + std::to_string(i),
                           test::times(test::noise_of(nature, points, 0.01, random)));
    }
    const FalseAlarmRate rate = trend(history.inputs()).false_alarms;
    told += rate.per_1000_points / kReports;
    told_nightly += rate.per_1000_points_nightly / kReports;
  }
  constexpr int kSeries = 4000, kNightlySeries = 500;
  std::size_t alarms = 0, nightly = 0;
  for (int i = 0; i < kSeries; ++i) {
    const std::vector<double> values = test::times(test::noise_of(nature, points, 0.01, random));
    alarms += find_steps(values).size();
    nightly += i < kNightlySeries ? test::nightly_alarms(values).size() : 0;
  }
  const double nights = static_cast<double>(std::min<std::size_t>(points, 100));
  std::printf("| %s | %zu | %.2f | %.2f | %.3f | %.3f |\n", test::name_of(nature).c_str(), points,
              told_nightly, 1000 * static_cast<double>(nightly) / nights / kNightlySeries, told,
              1000 * static_cast<double>(alarms) / static_cast<double>(points) / kSeries);
  std::fflush(stdout);
}

/// How often a false alarm is as clear as that: replayed, and what alerts say.
void clear_alarms() {
  const test::ReplayedNights replayed = test::replayed_nights(2000, 7);
  for (const double evidence : {2.8, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0}) {
    std::printf("| %.1f | %.3f | %.3f |\n", evidence, replayed.per_1000(evidence),
                false_alarms_as_clear(evidence));
  }
  std::fflush(stdout);
}

/// Drift against a baseline on 500 series where there is none, threshold and noise of 4 %.
void drift_without_any(test::Nature nature) {
  std::mt19937_64 random(12);
  scripted::History history = scripted::history_of(200);
  for (int i = 0; i < 500; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         test::times(test::noise_of(nature, 200, 0.04, random)));
  }
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", scripted::oid_at(20), "", ""}};
  inputs.policy.threshold = 0.04;
  int beyond = 0, covered = 0, series = 0;
  for (const TrendSeries& one : trend(inputs).series) {
    for (const Drift& drift : one.drifts) {
      ++series;
      beyond += drift.beyond ? 1 : 0;
      covered += drift.interval->low <= 0 && drift.interval->high >= 0 ? 1 : 0;
    }
  }
  std::printf("| %s | %d of %d | %.1f %% |\n", test::name_of(nature).c_str(), beyond, series,
              100.0 * covered / series);
}

/// What thirty series of 3 % noise share: reports with one event and no alert where 3 % come in the
/// last nights, and with a common step where nothing does.
void common_steps() {
  constexpr int kHistories = 200;
  std::puts("| nights | young | steps of 3 %: one finding |\n|---|---|---|");
  for (const std::size_t nights : {60, 120, 300}) {
    for (const std::size_t young : {3, 4, 8}) {
      const scripted::ReportsOfThirty reports =
          scripted::reports_of({.nights = nights, .change = 0.03, .young = young}, kHistories);
      std::printf("| %zu | %zu | %.3f |\n", nights, young, 1.0 * reports.one / kHistories);
      std::fflush(stdout);
    }
  }
  std::puts("| shared, no step | nights | common steps of 200, at .3, 1, 3 % |\n|---|---|---|");
  for (const scripted::Common common : scripted::all_commons()) {
    for (const std::size_t nights : {60, 120, 300}) {
      std::printf("| %s | %zu |", scripted::name_of(common).c_str(), nights);
      for (const double noise : {0.003, 0.01, 0.03}) {
        const scripted::Thirty of{.nights = nights, .common = common, .common_noise = noise};
        std::printf(" %d", scripted::reports_of(of, kHistories).common);
        std::fflush(stdout);
      }
      std::puts(" |");
    }
  }
}

/// Tails that grow, and tails that do not, in series of 120 points with 3 processes each.
void tails() {
  using scripted::Slow;
  using scripted::Tails;
  constexpr int kSeries = 500;
  const auto name_of = [](Slow slow) { return slow == Slow::spread ? "spread" : "delays"; };
  const auto size_of = [](Slow slow) { return slow == Slow::spread ? 0.05 : 0.2; };
  std::puts("| tails of 100 steps | grow | found, other: 200 with 3, 5, 10, 20, 40 points after |");
  std::puts("|---|---|---|");
  for (const Slow slow : {Slow::spread, Slow::delays}) {
    for (const double grows : {1.5, 2.0}) {
      std::printf("| %s | %.1f |", name_of(slow), grows);
      for (const std::size_t after : {3, 5, 10, 20, 40}) {
        const Tails of{
            .slow = slow, .points = 80 + after, .at = 80, .size = size_of(slow), .grows = grows};
        const scripted::TailScore score = scripted::score_tails(of, 200, 1);
        std::printf(" %d, %d;", score.found, score.others);
        std::fflush(stdout);
      }
      std::puts(" |");
    }
  }
  std::puts("| quiet series of 500 with a tail | spread, delays | tails as noisy themselves |");
  std::puts("|---|---|---|");
  const auto quiet = [&](const char* name, Tails of) {
    std::printf("| %s |", name);
    for (const double of_tails : {0.0, 0.1}) {
      for (const Slow slow : {Slow::spread, Slow::delays}) {
        of.slow = slow;
        of.size = size_of(slow);
        of.of_tails = of_tails;
        const scripted::TailScore score = scripted::score_tails(of, kSeries, 1000);
        std::printf(" %d", score.others + score.found);
        std::fflush(stdout);
      }
      std::printf(" |");
    }
    std::puts("");
  };
  for (const test::Nature nature : test::all_natures()) {
    quiet(test::name_of(nature).c_str(), {.nature = nature});
  }
  quiet("noise between processes 5 times", {.between = 0.03, .louder = 5});
  quiet("noise between processes a fifth", {.between = 0.03, .louder = 0.2});
  quiet("a step of 10 %", {.change = 0.1});
}

}  // namespace
}  // namespace perf

int main(int argc, char** argv) {
  if (argc > 1) {
    std::string(argv[1]) == "tails" ? perf::tails() : perf::common_steps();
    return 0;
  }
  perf::speed();
  perf::many_events();
  std::puts("| noise, no drift | beyond | interval holds 0 |\n|---|---|---|");
  for (const perf::test::Nature nature : perf::test::all_natures()) {
    perf::drift_without_any(nature);
  }
  std::puts("| evidence | false alarms per 1,000 points | told |\n|---|---|---|");
  perf::clear_alarms();
  std::puts("| noise | points | nightly: told | true | one search: told | true |");
  std::puts("|---|---|---|---|---|---|");
  for (const std::size_t points : {50, 120, 300}) {
    for (const perf::test::Nature nature : perf::test::all_natures()) {
      perf::rates(nature, points);
    }
  }
  perf::clean_reports();
}
