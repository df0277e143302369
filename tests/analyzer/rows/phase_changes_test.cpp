#include "analyzer/rows/phase_changes.h"

#include <gtest/gtest.h>

#include <deque>

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
  const auto changes = phase_changes(pairs);
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
  const auto changes = phase_changes(pairs);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].name, "fresh");
  EXPECT_FALSE(changes[0].change);
  EXPECT_EQ(changes[0].head, 2);
  EXPECT_EQ(changes[1].name, "old");
  EXPECT_EQ(changes[1].change, -1.0);
}

TEST_F(PhaseChanges, OfStepsWithoutPhasesAreNone) {
  EXPECT_TRUE(phase_changes(std::vector<PairedSample>{{sample({}), sample({})}}).empty());
  EXPECT_TRUE(phase_changes({}).empty());
}

}  // namespace
}  // namespace perf
