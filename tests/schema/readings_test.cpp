#include "schema/readings.h"

#include <gtest/gtest.h>

#include "schema/error.h"

namespace perf {
namespace {

MetricValue reported(const std::string& name, double value) {
  return {{name, "1", Better::lower}, value, false};
}

Block timed_block(const std::vector<double>& seconds) {
  Block block;
  for (const double one : seconds) {
    block.steps.push_back({static_cast<std::int64_t>(block.steps.size()), false, one, {}, {}});
  }
  return block;
}

/// "NAME VALUE", a minus before what does not count, a star behind what was derived.
std::string told(const Block& block, const std::set<std::string>& taken = {}) {
  std::ostringstream out;
  for (const BlockValue& one : read_block(block, taken).values) {
    out << (one.counts ? "" : "-") << one.value.metric.name << " " << one.value.value
        << (one.reported ? "" : "*") << "; ";
  }
  return out.str();
}

TEST(Readings, TakeTheMedianOfTimedSteps) {
  Block block = timed_block({9, 1, 2, 4});
  block.steps[0].warmup = true;
  EXPECT_EQ(timed_steps(block), (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(step_time(block), 2);
  block.steps.clear();
  EXPECT_FALSE(step_time(block));
  block.pruned = StepSummary{3, 1, 2.5, 0, 0, 0, 0, 0};
  EXPECT_EQ(step_time(block), 2.5);
  block.pruned->timed = 0;
  EXPECT_FALSE(step_time(block)) << "there were warm-up steps only";
}

TEST(Readings, KnowQuantilesOfStepsByName) {
  EXPECT_EQ(step_quantile("step_time.p50")->per_mille, 500);
  EXPECT_EQ(step_quantile("step_time.p99")->per_mille, 990);
  EXPECT_EQ(step_quantile("step_time.p99.9")->per_mille, 999);
  for (const char* other : {"step_time", "step_time.", "step_time.phase", "time.p99", "p99"}) {
    EXPECT_FALSE(step_quantile(other)) << other;
  }
  for (const char* wrong :
       {"step_time.p0", "step_time.p5", "step_time.p49", "step_time.p49.9", "step_time.p100",
        "step_time.p99.95", "step_time.p99.0", "step_time.p99.", "step_time.p099", "step_time.P99",
        "step_time.99", "step_time.p99x", "step_time.p9,9"}) {
    EXPECT_THROW(step_quantile(wrong), UsageError) << wrong;
  }
}

TEST(Readings, NeedTenStepsBeyondAQuantile) {
  const auto needed = [](const char* metric) { return step_quantile(metric)->steps_needed(); };
  EXPECT_EQ(needed("step_time.p50"), 20U);
  EXPECT_EQ(needed("step_time.p90"), 100U);
  EXPECT_EQ(needed("step_time.p95"), 200U);
  EXPECT_EQ(needed("step_time.p99"), 1000U);
  EXPECT_EQ(needed("step_time.p99.3"), 1429U);
  EXPECT_EQ(needed("step_time.p99.9"), 10000U);
}

TEST(Readings, TakeQuantilesOfTimedSteps) {
  Block block = timed_block({99, 4, 1, 3, 2, 5});
  block.steps[0].warmup = true;
  EXPECT_DOUBLE_EQ(*step_quantile("step_time.p50")->of(block), 3);
  EXPECT_DOUBLE_EQ(*step_quantile("step_time.p90")->of(block), 4.6);
  block.steps.clear();
  EXPECT_FALSE(step_quantile("step_time.p50")->of(block));
  block.pruned = StepSummary{3, 1, 2.5, 0, 0, 0, 4, 5};
  EXPECT_EQ(step_quantile("step_time.p50")->of(block), 2.5);
  EXPECT_EQ(step_quantile("step_time.p90")->of(block), 4);
  EXPECT_FALSE(step_quantile("step_time.p99")->of(block)) << "nothing of the tail is left";
}

TEST(Readings, TakeTheFirstValueOfAName) {
  Block block = timed_block({2});
  block.metrics = {reported("size", 8), reported("step_time", 99), reported("size", 9)};
  EXPECT_EQ(told(block), "size 8; -step_time 99; -size 9; ");
  EXPECT_EQ(told(block, {"size"}), "-size 8; -step_time 99; -size 9; ");
}

TEST(Readings, PreferReportedTokens) {
  Block block = timed_block({2});
  block.tokens_per_step = 10;
  EXPECT_EQ(told(block), "tokens_per_second 5*; ");
  block.metrics = {reported("tokens_per_second", 6)};
  EXPECT_EQ(told(block), "tokens_per_second 6; ");
}

TEST(BlockCount, IsFixedByTheFirstGoodPair) {
  BlockCount late;
  late.add(Side::base, true, 0, 1, false);
  late.add(Side::head, true, 0, 1, false);
  late.add(Side::head, true, 1, 1, true);
  EXPECT_FALSE(late.several());
  BlockCount early;
  early.add(Side::base, true, 0, 1, false);
  early.add(Side::head, true, 0, 2, true);
  EXPECT_TRUE(early.several()) << "a head without its base settles nothing, but counts";
  BlockCount alone;
  alone.add(Side::head, false, 0, 1, false);
  alone.add(Side::head, false, 1, 1, true);
  EXPECT_TRUE(alone.several()) << "where there are no pairs any invocation tells";
}

TEST(BlockNames, DeriveFromTheEntry) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(block_names("suite", {"a", "b"}, false), Names{"suite"});
  EXPECT_EQ(block_names("suite", {"a"}, true), Names{"suite/a"});
  EXPECT_EQ(block_names("suite", {"a", "suite/b", "a"}, true),
            (Names{"suite/a", "suite/b", "suite/a-2"}));
  EXPECT_TRUE(block_names("suite", {}, false).empty());
}

TEST(ChildName, ContainsTheEntryNameOnce) {
  std::set<std::string> taken;
  EXPECT_EQ(child_name("suite", "fast", taken), "suite/fast");
  EXPECT_EQ(child_name("suite", "suite/slow", taken), "suite/slow");
  EXPECT_EQ(child_name("suite", "fast", taken), "suite/fast-2");
}

TEST(ChildName, NumbersDuplicates) {
  std::set<std::string> taken;
  EXPECT_EQ(child_name("suite", "a", taken), "suite/a");
  EXPECT_EQ(child_name("suite", "a-2", taken), "suite/a-2");
  EXPECT_EQ(child_name("suite", "suite/a", taken), "suite/a-3");
  EXPECT_EQ(child_name("suite", "a", taken), "suite/a-4");
}

}  // namespace
}  // namespace perf
