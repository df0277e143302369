#include <gtest/gtest.h>

#include "collector/machine/event_access.h"
#include "processes.h"

namespace perf {
namespace {

using testing::early_spawner;
using testing::program;
using testing::shell;

/// A loop of so many turns: some hundred instructions each, the same every time but for what
/// interrupts add.
std::string loop(int turns) {
  return "i=0; while [ $i -lt " + std::to_string(turns) + " ]; do i=$((i+1)); done";
}

class InstructionCounterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!early_spawner().run(program({"true"})).instructions) {
      GTEST_SKIP() << "no counter of instructions may be read here";
    }
  }
  static double instructions(const std::string& script) {
    return static_cast<double>(early_spawner().run(shell(script)).instructions.value_or(0));
  }
};

TEST_F(InstructionCounterTest, CountsTheWorkOfTheChild) {
  const double start = instructions("true");
  const double once = instructions(loop(20000)) - start;
  const double twice = instructions(loop(40000)) - start;
  ASSERT_GT(once, 1e6);
  EXPECT_NEAR(twice / once, 2, 0.1);
}

TEST_F(InstructionCounterTest, CountsDescendantsToo) {
  const double own = instructions(loop(20000));
  EXPECT_GT(instructions("sh -c '" + loop(20000) + "' & wait"), 0.9 * own);
  EXPECT_GT(instructions("sh -c '" + loop(20000) + "'; sh -c '" + loop(20000) + "'; true"),
            1.8 * own);
}

TEST_F(InstructionCounterTest, EachChildIsCountedApart) {
  const double before = instructions("true");
  instructions(loop(20000));
  EXPECT_LT(instructions("true"), 2 * before);
}

TEST(InstructionCounter, CountsNothingBeforeAChildExecutes) {
  EXPECT_EQ(counted_instructions(count_next_child()), std::nullopt);
}

TEST(InstructionCounter, ProgramThatNeverStartedHasNoCount) {
  EXPECT_EQ(early_spawner().run(program({"/no/such/program"})).instructions, std::nullopt);
}

}  // namespace
}  // namespace perf
