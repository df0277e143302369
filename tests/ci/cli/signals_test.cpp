#include "ci/cli/run/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

namespace perf {
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;
using Signals = std::vector<int>;

/// Hears signals at one moment, and others when it is long over; ends with the signal that asked to
/// stop as its exit code, unless one of them ends it.
[[noreturn]] void hear(const Signals& at_first, const Signals& later = {}) {
  catch_interruptions();
  for (const int signal : at_first) {
    raise(signal);
  }
  if (!later.empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1010));
  }
  for (const int signal : later) {
    raise(signal);
  }
  _exit(interruption());
}

TEST(InterruptionDeathTest, IsRequestedByBothSignals) {
  EXPECT_EXIT(hear({}), ExitedWithCode(0), "");
  EXPECT_EXIT(hear({SIGINT}), ExitedWithCode(SIGINT), "");
  EXPECT_EXIT(hear({SIGTERM}), ExitedWithCode(SIGTERM), "");
}

TEST(InterruptionDeathTest, CountsSimultaneousSignalsOnce) {
  EXPECT_EXIT(hear({SIGTERM, SIGTERM, SIGTERM}), ExitedWithCode(SIGTERM), "");
  EXPECT_EXIT(hear({SIGINT, SIGTERM, SIGINT, SIGTERM}), ExitedWithCode(SIGINT), "");
}

TEST(InterruptionDeathTest, EndsAtOnceIfASignalIsRepeatedLater) {
  EXPECT_EXIT(hear({SIGTERM, SIGTERM}, {SIGTERM}), KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(hear({SIGTERM, SIGINT}, {SIGINT}), KilledBySignal(SIGINT), "");
}

// As GitHub's runner sends them, and systems that signal a group besides.
TEST(InterruptionDeathTest, IgnoresTheOtherSignalLater) {
  EXPECT_EXIT(hear({SIGINT}, {SIGTERM, SIGTERM}), ExitedWithCode(SIGINT), "");
}

}  // namespace
}  // namespace perf
