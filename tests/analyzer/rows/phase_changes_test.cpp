#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "analyzer/rows/comparison_rows.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using Phases = std::vector<std::pair<std::string, double>>;

class PhaseChanges : public ::testing::Test {
 protected:
  Sample sample(const Phases& phases) {
    Block block = scripted::block_of({1, 1, 1});
    block.steps[0].phases = {{"warmup_only", 50}};
    for (std::size_t i = 1; i < block.steps.size(); ++i) {
      block.steps[i].phases = phases;
    }
    blocks.push_back(block);
    return Sample{1, &blocks.back()};
  }
  std::deque<Block> blocks;
};

TEST_F(PhaseChanges, ArePairedAndInOrderOfAppearance) {
  std::vector<PairedSample> pairs;
  for (int i = 0; i < 5; ++i) {
    const double drift = 1 + i;  // a drifting machine cancels in the pair
    pairs.push_back({sample({{"forward", 1 * drift}, {"backward", 2 * drift}}),
                     sample({{"forward", 1 * drift}, {"backward", 3 * drift}})});
  }
  const auto changes = phase_changes(pairs, 0.01);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].name, "forward");
  EXPECT_NEAR(*changes[0].change, 0, 1e-12);
  EXPECT_EQ(changes[1].name, "backward");
  EXPECT_NEAR(*changes[1].change, 0.5, 1e-12);
  EXPECT_EQ(changes[1].base, 6);
  EXPECT_EQ(changes[1].head, 9);
}

TEST_F(PhaseChanges, NewAndGonePhases) {
  const std::vector<PairedSample> pairs{{sample({{"old", 1}}), sample({{"fresh", 2}})}};
  const auto changes = phase_changes(pairs, 0.01);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].name, "fresh");
  EXPECT_FALSE(changes[0].change);
  EXPECT_EQ(changes[0].head, 2);
  EXPECT_EQ(changes[1].name, "old");
  EXPECT_EQ(changes[1].change, -1.0);
}

TEST_F(PhaseChanges, AreNoneWithoutPhases) {
  EXPECT_TRUE(phase_changes(std::vector<PairedSample>{{sample({}), sample({})}}, 0.01).empty());
  EXPECT_TRUE(phase_changes({}, 0.01).empty());
}

// Twenty pairs in which backward takes a fifth more, forward stays, and both are noisy by `noise`.
class Carried : public PhaseChanges {
 protected:
  std::vector<PairedSample> pairs_of(double noise) {
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal(0, noise);
    std::vector<PairedSample> pairs;
    for (int i = 0; i < 20; ++i) {
      pairs.push_back({step(1 + normal(engine), 2 + normal(engine)),
                       step(1 + normal(engine), 2.4 + normal(engine))});
    }
    return pairs;
  }
  Sample step(double forward, double backward) {
    Sample one = sample({{"forward", forward}, {"backward", backward}});
    one.value = forward + backward + 0.1;  // some time is outside the phases
    return one;
  }
};

TEST_F(Carried, GivesEachPhaseItsShareOfTheChange) {
  const auto changes = phase_changes(pairs_of(0.01), 0.01);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_FALSE(changes[0].moved);
  EXPECT_NEAR(*changes[0].share, 0, 0.05);
  EXPECT_TRUE(changes[1].moved);
  EXPECT_NEAR(*changes[1].share, 1, 0.05);
  ASSERT_TRUE(changes[1].interval);
  EXPECT_LT(changes[1].interval->low, 0.2);
  EXPECT_GT(changes[1].interval->high, 0.2);
  EXPECT_GT(changes[1].interval->low, 0.15);
}

TEST_F(Carried, GivesNoSharesOfAnInsignificantChange) {
  const auto changes = phase_changes(pairs_of(1), 0.01);
  for (const PhaseChange& phase : changes) {
    EXPECT_FALSE(phase.moved) << phase.name;
    EXPECT_FALSE(phase.share) << phase.name;
    EXPECT_TRUE(phase.interval) << phase.name;
  }
}

TEST_F(Carried, NeedsEnoughPairs) {
  auto pairs = pairs_of(0.001);
  pairs.resize(6);
  for (const PhaseChange& phase : phase_changes(pairs, 0.01)) {
    EXPECT_FALSE(phase.moved);
    EXPECT_FALSE(phase.share);
    EXPECT_FALSE(phase.interval);
  }
}

// Noise phases are not blamed: of 1,000 steps that really changed, in which four phases did not, at
// most alpha have one of the four blamed.
TEST_F(Carried, IgnoresNoisyPhases) {
  std::mt19937_64 engine(6);
  std::normal_distribution<double> normal(0, 0.05);
  int blamed = 0, found = 0;
  for (int run = 0; run < 1000; ++run) {
    std::vector<PairedSample> pairs;
    for (int i = 0; i < 15; ++i) {
      const auto draw = [&](double slow) {
        return sample({{"a", 1 + normal(engine)},
                       {"b", 1 + normal(engine)},
                       {"c", 1 + normal(engine)},
                       {"d", 1 + normal(engine)},
                       {"slow", slow + normal(engine)}});
      };
      pairs.push_back({draw(1), draw(1.5)});
    }
    bool wrong = false;
    for (const PhaseChange& phase : phase_changes(pairs, 0.01)) {
      wrong |= phase.moved && phase.name != "slow";
      found += phase.moved && phase.name == "slow" ? 1 : 0;
    }
    blamed += wrong ? 1 : 0;
    blocks.clear();
  }
  EXPECT_LE(blamed, 10);
  EXPECT_GE(found, 990);
}

}  // namespace
}  // namespace perf
