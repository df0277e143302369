// A child that is stopped and continued on purpose. What the child itself sees of it is a lower
// bound, and so holds on a machine that does other things at once.
#include <gtest/gtest.h>

#include "collector/process/spawner.h"
#include "processes.h"

namespace perf {
namespace {

using testing::actor;
using testing::early_spawner;
using testing::shell;

ProcessResult run_held(ProcessRequest request, double share, double period) {
  request.stop_and_go = {share, period};
  return early_spawner().run(request);
}

TEST(StopAndGo, StopsAChildForTheShareOfItsRunningTime) {
  const ProcessResult result = run_held(actor("gaps", 800, ""), 0.5, 0.01);
  ASSERT_EQ(result.exit_code, 0);
  const double run = result.wall - result.stopped;
  EXPECT_NEAR(result.stopped / run, 0.5, 0.1);
  EXPECT_GT(std::stod(result.stdout_text), 0.8 * result.stopped) << "the child saw nothing of it";
}

TEST(StopAndGo, LetsAChildRunByDefault) {
  const ProcessResult result = early_spawner().run(actor("gaps", 50, ""));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stopped, 0);
}

TEST(StopAndGo, StopsProcessesThatLeftTheGroup) {
  const ProcessResult result = run_held(actor("escaped-gaps", 1500, ""), 0.5, 0.01);
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_GT(std::stod(result.stdout_text), 0.5 * result.stopped);
}

TEST(StopAndGo, ChangesNothingButTheTime) {
  const ProcessResult result =
      run_held(shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sh -c 'exit 3'; echo $?; "
                     "kill -TERM $$"),
               1, 0.002);
  EXPECT_EQ(result.stdout_text, "3\n");
  EXPECT_EQ(result.signal, 15);
  EXPECT_FALSE(result.timed_out);
  EXPECT_GT(result.stopped, 0);
}

}  // namespace
}  // namespace perf
