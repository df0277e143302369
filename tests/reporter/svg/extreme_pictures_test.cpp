#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "reporter/svg/pictures.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

// Pictures of whatever numbers there may be: every coordinate is a number within the picture.
namespace perf::reporter::svg {
namespace {

const std::vector<double>& extremes() {
  static const std::vector<double> values{
      0,      1e-320,  1e-12,    -1e-12,    0.1,
      -0.999, -1,      1e12,     -1e12,     1e300,
      -1e300, 1.7e308, INFINITY, -INFINITY, std::numeric_limits<double>::quiet_NaN()};
  return values;
}

/// Draws numbers: usual ones, equal ones, and now and then an extreme one.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  double next() {
    switch (below(4)) {
      case 0:
        return extremes()[below(extremes().size())];
      case 1:
        return 0.05;
      default:
        return (static_cast<double>(below(2000)) - 1000) / 5000;
    }
  }

 private:
  std::mt19937_64 random_;
};

Comparison comparison_of(Numbers& numbers) {
  Comparison one =
      samples::step_time("w/" + std::to_string(numbers.below(40)), numbers.next(), numbers.next(),
                         0.01, kVerdicts[numbers.below(kVerdicts.size())]);
  one.head->median = numbers.next();
  one.threshold = numbers.next();
  one.interval = Interval{numbers.next(), numbers.next()};
  if (numbers.below(5) == 0) {
    one.change.reset();
  }
  if (numbers.below(5) == 0) {
    one.interval.reset();
  }
  if (numbers.below(8) == 0) {
    one.base.reset();
  }
  one.judged = numbers.below(6) != 0;
  for (std::size_t i = numbers.below(30); i > 0; --i) {
    one.pair_changes.push_back(numbers.next());
  }
  return one;
}

MeasuredWorkload measured_of(Numbers& numbers) {
  MeasuredWorkload measured{"w", {}, {}};
  for (std::size_t i = numbers.below(12); i > 0; --i) {
    MeasuredProcess process;
    process.side = numbers.below(3) == 0 ? Side::base : Side::head;
    for (std::size_t step = numbers.below(5); step > 0; --step) {
      process.steps.push_back({0, numbers.below(3) == 0, numbers.next(), std::nullopt});
      if (numbers.below(2) == 0) {
        process.steps.back().rss = std::numeric_limits<std::int64_t>::max() / 3 *
                                   static_cast<std::int64_t>(numbers.below(3));
      }
    }
    process.values = {{"peak_rss", numbers.next()}, {"m", numbers.next()}};
    measured.processes.push_back(process);
  }
  return measured;
}

void expect_sane(const std::string& svg, const std::string& what) {
  if (!svg.empty()) {
    samples::expect_within(svg, what);
  }
}

TEST(ExtremePictures, AreValidForRandomComparisons) {
  std::size_t drawn = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    std::vector<Comparison> rows;
    for (std::size_t i = 1 + numbers.below(12); i > 0; --i) {
      rows.push_back(comparison_of(numbers));
    }
    expect_sane(interval_picture(rows), "intervals");
    expect_sane(interval_scale(cell_axis(rows)), "scale");
    expect_sane(bar_picture(rows, kStepTime), "bars");
    for (const Comparison& row : rows) {
      expect_sane(interval_cell(row, cell_axis(rows)), "cell");
      expect_sane(pair_picture(row), "pairs");
    }
    for (const auto& lines : ratio_sets(rows)) {
      expect_sane(ratio_picture(lines), "ratios");
      ++drawn;
    }
    if (testing::Test::HasFailure()) {
      return;
    }
  }
  EXPECT_GT(drawn, 20u) << "some of them have lines";
}

TEST(ExtremePictures, AreValidForRandomMeasurements) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    const MeasuredWorkload measured = measured_of(numbers);
    expect_sane(step_picture(measured), "steps");
    expect_sane(memory_picture(measured), "memory");
    expect_sane(process_picture(measured, {"m", "1/s", Better::higher}), "values");
    if (testing::Test::HasFailure()) {
      return;
    }
  }
}

TEST(ExtremePictures, AreValidForSingleExtremes) {
  for (const double value : extremes()) {
    SCOPED_TRACE(value);
    Comparison one = samples::step_time("a", 1, value, 0.01, Verdict::inconclusive);
    one.pair_changes = {value};
    expect_sane(pair_picture(one), "pairs");
    expect_sane(interval_picture({one}), "intervals");
    MeasuredWorkload measured{"w", {}, {{Side::base, 0, 0, {{0, false, value, std::nullopt}}, {}}}};
    expect_sane(step_picture(measured), "steps");
    EXPECT_EQ(step_picture(measured).empty(), !is_drawable(value));
  }
}

}  // namespace
}  // namespace perf::reporter::svg
