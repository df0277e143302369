#include "reporter/text/quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reporter/text/sparkline.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Quantity, ScalesTimesFromNanosecondsToHours) {
  EXPECT_EQ(quantity(0.4e-9, "s"), "0.400 ns");
  EXPECT_EQ(quantity(12e-9, "s"), "12.0 ns");
  EXPECT_EQ(quantity(4.1e-6, "s"), "4.10 µs");
  EXPECT_EQ(quantity(0.412, "s"), "412 ms");
  EXPECT_EQ(quantity(1, "s"), "1.00 s");
  EXPECT_EQ(quantity(90, "s"), "90.0 s");
  EXPECT_EQ(quantity(150, "s"), "2.50 min");
  EXPECT_EQ(quantity(9000, "s"), "2.50 h");
}

TEST(Quantity, UsesTheNextUnitInsteadOfAThousand) {
  EXPECT_EQ(quantity(0.9996, "s"), "1.000 s");
  EXPECT_EQ(quantity(0.999, "s"), "999 ms");
}

TEST(Quantity, ScalesBytesBy1024AndKeepsWholeOnesWhole) {
  EXPECT_EQ(quantity(0, "B"), "0 B");
  EXPECT_EQ(quantity(512, "B"), "512 B");
  EXPECT_EQ(quantity(1536, "B"), "1.50 KiB");
  EXPECT_EQ(quantity(314572800, "B"), "300 MiB");
  EXPECT_EQ(quantity(3e9, "B"), "2.79 GiB");
  EXPECT_EQ(quantity(5e12, "B"), "4.55 TiB");
}

TEST(Quantity, ScalesRatesAndLeavesOtherUnitsAlone) {
  EXPECT_EQ(quantity(345e6, "Hz"), "345 MHz");
  EXPECT_EQ(quantity(1.98e9, "Hz"), "1.98 GHz");
  EXPECT_EQ(quantity(12.5, "J"), "12.5 J");
  EXPECT_EQ(quantity(12340, "1/s"), "12.3 k/s");
  EXPECT_EQ(quantity(2.5e6, "1/s"), "2.50 M/s");
  EXPECT_EQ(quantity(3, "1/s"), "3 /s");
  EXPECT_EQ(quantity(64880000, "B/s"), "64.9 MB/s");
  EXPECT_EQ(quantity(72675658834, "flop/s"), "72.7 Gflop/s");
  EXPECT_EQ(quantities(950, 1200, "tokens/s"), "0.95 ktokens/s -> 1.20 ktokens/s");
  EXPECT_EQ(quantity(3e12, "1/s"), "3.00 T/s");
  EXPECT_EQ(quantity(12340, "MB/s"), "12340 MB/s") << "is scaled already";
  EXPECT_EQ(quantity(12340, "/s"), "12340 /s");
  EXPECT_EQ(quantity(1234, "perplexity"), "1234 perplexity");
  EXPECT_EQ(quantity(0.1234, ""), "0.123");
}

TEST(Quantity, FormatsABudgetForTheOption) {
  EXPECT_EQ(budget_option(0.2), "10s");
  EXPECT_EQ(budget_option(70), "90s");
  EXPECT_EQ(budget_option(184), "4m");
  EXPECT_EQ(budget_option(4500), "90m");
  EXPECT_EQ(budget_option(6100), "3h");
  EXPECT_EQ(budget_option(1e300), "365d");
}

TEST(Quantity, UsesOneUnitForBothSides) {
  EXPECT_EQ(quantities(0.412, 0.471, "s"), "412 ms -> 471 ms");
  EXPECT_EQ(quantities(0.95, 1.2, "s"), "0.95 s -> 1.20 s");
  EXPECT_EQ(quantities(0, 12582912, "B"), "0.0 MiB -> 12.0 MiB");
}

TEST(Quantity, AddsADigitForCloseValues) {
  EXPECT_EQ(quantities(0.4121, 0.4127, "s"), "412.1 ms -> 412.7 ms");
}

TEST(Quantity, KeepsDigitsOfASmallValueBesideALargeOne) {
  EXPECT_EQ(quantities(0.0123, 1.5, "s"), "0.012 s -> 1.500 s");
}

TEST(Quantity, ShowsADashForNonFiniteValues) {
  EXPECT_EQ(quantity(kNan, "s"), "-");
  EXPECT_EQ(quantity(kInfinity, "B"), "-");
  EXPECT_EQ(quantities(kNan, 0.471, "s"), "- -> 471 ms");
}

TEST(Quantity, FormatsExtremeValues) {
  EXPECT_LT(quantity(1e308, "s").size(), 20U);
  EXPECT_LT(quantity(5e-324, "s").size(), 20U);
  EXPECT_EQ(quantity(-0.412, "s"), "-412 ms");
  EXPECT_EQ(quantity(-0.0, "s"), "0 ns");
}

TEST(Elapsed, CountsMinutesAndHours) {
  EXPECT_EQ(elapsed(41), "41.0 s");
  EXPECT_EQ(elapsed(216.4), "3 min 36 s");
  EXPECT_EQ(elapsed(600), "10 min");
  EXPECT_EQ(elapsed(3600), "1 h");
  EXPECT_EQ(elapsed(5400), "1 h 30 min");
  EXPECT_EQ(elapsed(kNan), "-");
}

TEST(Quantity, ScalesPlainNumbersFromAMillion) {
  EXPECT_EQ(quantity(8136440, "1"), "8.14 M");
  EXPECT_EQ(quantities(8136440, 8144576, "1"), "8.136 M -> 8.145 M");
  EXPECT_EQ(quantity(64207e6, "1"), "64.2 G");
  EXPECT_EQ(quantity(12345, "1"), "12345");
  EXPECT_EQ(quantity(0.9876, "1"), "0.988");
}

TEST(RoughCount, RoundsUpToTwoDigits) {
  EXPECT_EQ(rough_count(0), "0");
  EXPECT_EQ(rough_count(59.2), "60");
  EXPECT_EQ(rough_count(137), "140");
  EXPECT_EQ(rough_count(1234), "1,300");
  EXPECT_EQ(rough_count(1234567), "1,300,000");
  EXPECT_EQ(rough_count(kInfinity), "very many");
}

TEST(Sparkline, SpansLowestToHighest) {
  EXPECT_EQ(sparkline({0, 1}), "▁█");
  EXPECT_EQ(sparkline({3, 1, 2, kNan, 3}), "█▁▅█");
  EXPECT_EQ(sparkline({2, 2, 2}), "▅▅▅");
  EXPECT_EQ(sparkline({1}), "");
  EXPECT_EQ(sparkline({}), "");
  EXPECT_EQ(sparkline({kNan, 1}), "");
}

TEST(Change, HasASignAndAnInterval) {
  EXPECT_EQ(change_text(0.143, Interval{0.121, 0.16}), "+14.3 % [+12.1, +16.0]");
  EXPECT_EQ(change_text(-0.236, Interval{-0.254, -0.22}), "-23.6 % [-25.4, -22.0]");
  EXPECT_EQ(change_text(0.01, std::nullopt), "+1.0 %");
}

TEST(Change, HasSignificantDigits) {
  EXPECT_EQ(change_text(0.0012, Interval{-0.0005, 0.003}), "+0.12 % [-0.05, +0.30]");
  EXPECT_EQ(change_text(2.5, Interval{2.4, 2.6}), "+250 % [+240, +260]");
}

TEST(Change, IsANumberOfAnySize) {
  EXPECT_EQ(change_text(1e299), "+1.00e+301 %");
  EXPECT_EQ(change_text(1e300), "from zero");
  EXPECT_EQ(change_text(1e12, Interval{0.5, 1e300}), "+1.00e+14 % [+50, +1.00e+302]");
  EXPECT_EQ(change_text(9e6), "+900000000 %");
  EXPECT_EQ(percentage(1e300), "1.00e+302 %");
}

TEST(Change, HasNoNegativeZero) {
  EXPECT_EQ(change_text(-1e-9), "+0.00 %");
  EXPECT_EQ(change_text(0), "+0.00 %");
  EXPECT_EQ(change_text(-1), "-100 %");
}

TEST(Change, LeavesOutNonFiniteValues) {
  EXPECT_EQ(change_text(kNan, Interval{0, 1}), "-");
  EXPECT_EQ(change_text(0.5, Interval{kNan, 1}), "+50.0 %");
}

TEST(Percentage, HasNoTrailingZeros) {
  EXPECT_EQ(percentage(0.10), "10 %");
  EXPECT_EQ(percentage(0.025), "2.5 %");
  EXPECT_EQ(percentage(0.0025), "0.25 %");
  EXPECT_EQ(percentage(1), "100 %");
  EXPECT_EQ(percentage(0), "0 %");
  EXPECT_EQ(percentage(kNan), "-");
}

TEST(RoughPercentage, RoundsUp) {
  EXPECT_EQ(rough_percentage(0.0163), "1.7 %");
  EXPECT_EQ(rough_percentage(0.021), "2.1 %");
  EXPECT_EQ(rough_percentage(0.10), "10 %");
  EXPECT_EQ(rough_percentage(0.0051), "0.51 %");
  EXPECT_EQ(rough_percentage(0), "0 %");
}

TEST(ThresholdBand, IsSymmetricInRatios) {
  for (const double threshold : {0.001, 0.1, 0.28, 1.0, 9.0}) {
    const Interval band = threshold_band(threshold);
    EXPECT_EQ(band.high, threshold);
    EXPECT_NEAR(std::log1p(band.low), -std::log1p(band.high), 1e-12);
  }
  EXPECT_NEAR(threshold_band(0.28).low, -0.21875, 1e-12);
  EXPECT_EQ(threshold_band(INFINITY).low, -1) << "a number, whatever the threshold";
}

TEST(ThresholdPhrase, ShowsTheLowerLimitForDecreases) {
  const auto phrase = [](double change) {
    return threshold_phrase(samples::step_time("a", 1, change, 0.001, Verdict::unchanged));
  };
  EXPECT_EQ(phrase(0.2), "10 %");
  EXPECT_EQ(phrase(-0.095), "10 % (-9.1 %)");
  Comparison unknown = samples::step_time("a", 1, 0, 0, Verdict::failed);
  unknown.change.reset();
  EXPECT_EQ(threshold_phrase(unknown), "10 %");
}

}  // namespace
}  // namespace perf::reporter
