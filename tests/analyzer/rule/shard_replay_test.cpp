#include "tests/analyzer/rule/shard_replay.h"

#include <gtest/gtest.h>

// A short form of `shard_replay`, which has 10,000 reports of each kind.

namespace perf {
namespace {

using replay::ShardedOutcome;
using replay::Sharding;

Sharding short_form() {
  Sharding sharding;
  sharding.reports = 1000;
  return sharding;
}

/// The shares of alpha add up to alpha, whatever was cut how.
TEST(ShardReplay, SpendsOneErrorRate) {
  for (const bool by_seconds : {true, false}) {
    for (const int shards : {1, 2, 4, 16}) {
      for (const double same : {0.0, 0.5, 0.9}) {
        Sharding sharding = short_form();
        sharding.reports = 20;
        sharding.by_seconds = by_seconds;
        sharding.shards = shards;
        sharding.same = same;
        EXPECT_LE(replay::run(sharding).largest_rate, sharding.alpha * (1 + 1e-12));
      }
    }
  }
}

TEST(ShardReplay, ErrsInOneOfAHundredReportsAtMost) {
  for (const bool by_seconds : {true, false}) {
    Sharding sharding = short_form();
    sharding.by_seconds = by_seconds;
    const ShardedOutcome none = replay::run(sharding);
    EXPECT_LE(none.joined_wrong, 0.01 * sharding.reports);
    EXPECT_EQ(none.joined_unchanged, sharding.reports);
    sharding.reports = 200;
    sharding.threshold = 0.02;  // where the noise makes errors likely
    sharding.change = 0.5;
    EXPECT_LE(replay::run(sharding).joined_regressed, 0.01 * sharding.reports);
    sharding.change = 1;
    EXPECT_LE(replay::run(sharding).joined_unchanged, 0.01 * sharding.reports);
  }
}

/// With as many metrics each, every shard works at the a' of the whole: the same pairs, the same
/// verdicts.
TEST(ShardReplay, TakesThePairsOfTheWhole) {
  Sharding sharding = short_form();
  sharding.fewest_metrics = sharding.most_metrics = 2;
  sharding.reports = 300;
  for (const double change : {0.0, 0.5, 1.0}) {
    sharding.change = change;
    const ShardedOutcome outcome = replay::run(sharding);
    EXPECT_DOUBLE_EQ(outcome.joined_pairs, outcome.whole_pairs) << change;
    EXPECT_EQ(outcome.joined_wrong, outcome.whole_wrong) << change;
  }
  sharding.fewest_metrics = 1;
  sharding.most_metrics = 4;
  sharding.change = 0;
  sharding.reports = 1000;
  const ShardedOutcome unlike = replay::run(sharding);
  EXPECT_NEAR(unlike.joined_pairs / unlike.whole_pairs, 1, 0.02);
}

/// The replay can see an error rate.
TEST(ShardReplay, DetectsWrongShards) {
  Sharding sharding = short_form();
  sharding.alpha = 0.6;
  sharding.reports = 200;
  sharding.threshold = 0.02;
  sharding.change = 1;
  EXPECT_GT(replay::run(sharding).joined_unchanged, 0.05 * sharding.reports);
}

}  // namespace
}  // namespace perf
