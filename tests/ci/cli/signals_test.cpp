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

/// Raises signals at once, and others a second later; exits with the first signal as its exit code,
/// unless a signal ends it.
[[noreturn]] void raise_signals(const Signals& at_first, const Signals& later = {}) {
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
  EXPECT_EXIT(raise_signals({}), ExitedWithCode(0), "");
  EXPECT_EXIT(raise_signals({SIGINT}), ExitedWithCode(SIGINT), "");
  EXPECT_EXIT(raise_signals({SIGTERM}), ExitedWithCode(SIGTERM), "");
}

TEST(InterruptionDeathTest, CountsSimultaneousSignalsOnce) {
  EXPECT_EXIT(raise_signals({SIGTERM, SIGTERM, SIGTERM}), ExitedWithCode(SIGTERM), "");
  EXPECT_EXIT(raise_signals({SIGINT, SIGTERM, SIGINT, SIGTERM}), ExitedWithCode(SIGINT), "");
}

TEST(InterruptionDeathTest, EndsAtOnceIfASignalIsRepeatedLater) {
  EXPECT_EXIT(raise_signals({SIGTERM, SIGTERM}, {SIGTERM}), KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(raise_signals({SIGTERM, SIGINT}, {SIGINT}), KilledBySignal(SIGINT), "");
}

// As GitHub's runner sends them, and systems that signal a group besides.
TEST(InterruptionDeathTest, IgnoresTheOtherSignalLater) {
  EXPECT_EXIT(raise_signals({SIGINT}, {SIGTERM, SIGTERM}), ExitedWithCode(SIGINT), "");
}

}  // namespace
}  // namespace perf
