#include "reporter/text/sparkline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

const double kNothing = std::numeric_limits<double>::quiet_NaN();

std::vector<double> count_to(int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

std::size_t blocks_in(const std::string& line) {
  return line.size() / 3;  // each is three bytes of UTF-8
}

/// The pairs' remark of a regression whose pairs changed like this.
std::string pairs_remark(std::vector<double> pair_changes) {
  Comparison comparison = samples::step_time("w", 1, 0.2, 0.01, Verdict::regressed);
  comparison.pair_changes = std::move(pair_changes);
  std::string text;
  const std::vector<Prose> remarks = measured_remarks(comparison, {});
  for (const Span& span : remarks.back()) {
    text += span.text;
  }
  return text;
}

TEST(Sparkline, SpansAllBlocks) {
  EXPECT_EQ(sparkline({1, 2, 3, 4, 5, 6, 7, 8}), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({3, 3}), "▅▅");
  EXPECT_EQ(sparkline({1, kNothing, INFINITY, 2}), "▁█");
  EXPECT_EQ(sparkline({1, kNothing}), "");
}

TEST(Grouped, KeepFewValues) {
  const GroupedValues grouped = reporter::grouped({3, 1, kNothing, 2}, 3);
  EXPECT_EQ(grouped.group, 1U);
  EXPECT_EQ(grouped.values, (std::vector<double>{3, 1, 2}));
  EXPECT_TRUE(reporter::grouped({}, 3).values.empty());
}

TEST(Grouped, ReplaceManyValuesByMediansOfNeighbours) {
  const GroupedValues grouped = reporter::grouped({1, 9, 2, 30, 10, 20, 4, 6}, 3);
  EXPECT_EQ(grouped.group, 3U);
  EXPECT_EQ(grouped.values, (std::vector<double>{2, 20, 5})) << "the last has fewer";
}

TEST(Grouped, AreAtMostTheRequestedNumber) {
  for (int count = 0; count < 300; ++count) {
    const GroupedValues grouped = reporter::grouped(count_to(count), 24);
    EXPECT_LE(grouped.values.size(), 24U) << count;
    EXPECT_GE(grouped.group * grouped.values.size(), static_cast<std::size_t>(count));
  }
}

TEST(PairsRemark, ExplainsABlock) {
  EXPECT_EQ(pairs_remark({0.1, 0.2, 0.3}), "pair by pair ▁▅█ from +10.0 % to +30.0 %");
  std::vector<double> many;
  for (int i = 0; i < 58; ++i) {
    many.push_back(i < 29 ? 0.1 : 0.3);
  }
  many[0] = 0.9;  // one pair alone is not a group's median
  EXPECT_EQ(pairs_remark(many),
            "medians of 3 pairs each ▁▁▁▁▁▁▁▁▁▁██████████ from +10.0 % to +30.0 %");
}

TEST(PairsRemark, FitsALineForAnyNumberOfPairs) {
  for (const int count : {24, 25, 58, 108, 1000}) {
    std::vector<double> changes = count_to(count);
    for (double& change : changes) {
      change /= count;
    }
    const std::string text = pairs_remark(changes);
    const std::size_t begin = text.find("▁"), end = text.rfind("█") + 3;
    EXPECT_LE(blocks_in(text.substr(begin, end - begin)), 24U) << text;
  }
}

}  // namespace
}  // namespace perf::reporter
