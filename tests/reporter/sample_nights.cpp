#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

constexpr const char* kOldMachine = "5566778899aabbcc";

/// About normal, the same with every standard library.
class NightNoise {
 public:
  explicit NightNoise(unsigned seed) : random_(seed) {}
  double uniform() { return static_cast<double>(random_()) / 4294967296.0; }
  double next() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
      sum += uniform();
    }
    return sum;
  }

 private:
  std::mt19937 random_;
};

struct Shape {
  std::size_t begin = 0, end = 0;  ///< commits
  double level = 1, noise = 0.01;
  std::size_t step = 0;  ///< commit of it; 0: none
  double change = 0;
  double slope = 0;  ///< over the last half
};

TrendSeries drawn(const Shape& shape, NightNoise& random) {
  TrendSeries series;
  series.noise = shape.noise;
  for (std::size_t i = shape.begin; i < shape.end; ++i) {
    double value = shape.level * (1 + shape.noise * random.next());
    if (shape.step > 0 && i >= shape.step) {
      value *= 1 + shape.change;
    }
    const std::size_t half = shape.end / 2;
    if (shape.slope != 0 && i >= half) {
      value *=
          1 + shape.slope * static_cast<double>(i - half) / static_cast<double>(shape.end - half);
    }
    if (random.uniform() < 0.006) {
      value *= 1.1 + 0.6 * random.uniform();
    }
    series.points.push_back({static_cast<std::uint32_t>(i), 3, value});
  }
  return series;
}

ChangePoint step_of(const Shape& shape, AlertState state, bool worse) {
  ChangePoint step;
  step.index = shape.step - shape.begin;
  step.commit = static_cast<std::uint32_t>(shape.step);
  step.previous = step.commit - 1;
  step.change = shape.change;
  step.interval = Interval{shape.change - 0.5 * shape.noise, shape.change + 0.5 * shape.noise};
  step.before = shape.level;
  step.after = shape.level * (1 + shape.change);
  step.noise_before = step.noise_after = shape.noise;
  step.worse = worse;
  step.state = state;
  step.alert_id = state == AlertState::none ? "" : "0f0e0d0c0b0a09080706050403020100";
  step.first_seen = state == AlertState::known ? "2026-02-01T03:00:00Z" : "";
  step.confirm = worse ? "perf-compare 0123456789ab ba9876543210 -w case" : "";
  return step;
}

const std::array<Metric, 3> kMetrics{
    {kStepTime, kPeakRss, {"tokens_per_second", "1/s", Better::higher}}};
constexpr std::array<double, 3> kLevels{0.0413, 3.1e8, 48200};

Shape shape_of(std::size_t number, std::size_t points, NightNoise& random) {
  Shape shape;
  shape.end = points;
  shape.begin = number % 5 == 4 ? points / 3 : 0;
  shape.level = kLevels[number % 3] * std::pow(1.9, static_cast<double>(number / 3 % 7) - 3);
  shape.noise = number % 3 == 1 ? 0.001 : 0.004 + 0.016 * random.uniform();
  return shape;
}

void add_finding(TrendSeries& series, Shape& shape, std::size_t number, NightNoise& random) {
  const std::size_t points = shape.end;
  const bool higher = series.metric.better == Better::higher;
  const auto step = [&](double share, double change, AlertState state, bool worse) {
    shape.step = std::max<std::size_t>(
        static_cast<std::size_t>(share * static_cast<double>(points)), shape.begin + 2);
    shape.change = worse == higher ? -change : change;
    if (!worse && !higher) {
      shape.change = -change;
    }
    series.points = drawn(shape, random).points;
    series.change_points = {step_of(shape, state, worse)};
  };
  switch (number % 20) {
    case 0:
      return step(0.93, 0.12, AlertState::fresh, true);
    case 3:
      return step(0.7, 0.08, AlertState::known, true);
    case 5:
      return step(0.4, 0.2, AlertState::none, false);
    case 7:
      step(0.6, 0.05, AlertState::none, true);
      series.change_points[0].machine_event = 0;
      return;
    case 9:
      shape.slope = 0.08;
      series.points = drawn(shape, random).points;
      series.trend = Slope{{.previous = static_cast<std::uint32_t>(points / 2),
                            .commit = static_cast<std::uint32_t>(points - 1),
                            .change = 0.08,
                            .interval = Interval{0.06, 0.1},
                            .worse = !higher},
                           series.points.size() / 2,
                           series.points.size(),
                           points / 2,
                           0.16 / static_cast<double>(points)};
      return;
    default:
      break;
  }
}

}  // namespace

TrendReport nights(std::size_t count, std::size_t points) {
  TrendReport report = long_history(0, points);
  const std::string machine = report.environments.front().fingerprint;
  report.environments.push_back({kOldMachine, {{"cpu_model", "older"}}, {}});
  for (std::size_t i = 0; i < points; ++i) {  // no two alike, as they are in long_history
    const std::string number = std::to_string(100000 + i);
    report.commits[i].oid = "c0ffee" + number + std::string(28, 'a');
  }
  report.baselines = {{"v1.0", report.commits[points / 5].oid, "shipped", ""},
                      {"release", report.commits[points * 7 / 10].oid, "shipped", ""}};
  const auto event = static_cast<std::uint32_t>(points * 6 / 10);
  report.machine_events = {
      {machine, event, event, event - 1, 5, 6, 0.04, {"kernel: 6.1 -> 6.5"}, true, ""}};
  NightNoise random(20260131);
  for (std::size_t i = 0; report.series.size() < count; ++i) {
    Shape shape = shape_of(i, points, random);
    TrendSeries series = drawn(shape, random);
    series.metric = kMetrics[i % 3];
    series.key = {"suite/case_" + std::to_string(i / 3), {}, series.metric.name, machine, ""};
    add_finding(series, shape, i, random);
    if (i % 5 == 4 && report.series.size() + 1 < count) {
      Shape before = shape;
      before.begin = 0;
      before.end = points / 3;
      before.step = 0;
      before.slope = 0;
      before.level *= 1.18;
      TrendSeries old = drawn(before, random);
      old.key = series.key;
      old.key.fingerprint = kOldMachine;
      old.metric = series.metric;
      old.live = false;
      report.series.push_back(std::move(old));
    }
    report.series.push_back(std::move(series));
  }
  return report;
}

}  // namespace perf::samples
