#include <gtest/gtest.h>

#include <random>

#include "collector/process/supervisor.h"

namespace perf {
namespace {

using Action = Pacer::Action;

/// Lets a pacer run its course over a clock on which it is always woken late by up to `lateness`
/// seconds, with a process that takes up to `inertia` seconds to stop; returns stopped / run as the
/// process saw it.
double ratio_over(const StopAndGo& pace, double seconds, double lateness, double inertia = 0) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  double now = 100, stands_from = 0, stopped = 0;
  Pacer pacer(pace, now);
  while (now < 100 + seconds) {
    now = pacer.next() + share(random) * lateness;
    switch (pacer.step(now, pacer.is_stopping() && now >= stands_from)) {
      case Action::stop:
        stands_from = now + share(random) * inertia;
        break;
      case Action::go:
        stopped += now - stands_from;
        break;
      case Action::none:
        break;
    }
  }
  return stopped / (now - 100 - stopped);
}

TEST(Pacer, StopsForItsShareOfTheRunningTime) {
  for (const double share : {0.05, 0.15, 0.5, 3.0}) {
    // A stop is seen up to one look late: for so long it counts as running.
    const double longest = share + (1 + share) * (1 + share) * Pacer::kCheckInterval / 0.01;
    const double ratio = ratio_over({share, 0.01}, 2, 0);
    EXPECT_GE(ratio, 0.99 * share);
    EXPECT_LE(ratio, 1.01 * longest);
  }
}

TEST(Pacer, KeepsTheShareOnABusyMachine) {
  // Woken up to 20 ms late in periods of 10 ms, with a process that waits as long for a processor
  // before it can stop: single stops are far off, their sum is not short.
  for (const double share : {0.05, 0.15, 0.5}) {
    EXPECT_GE(ratio_over({share, 0.01}, 60, 0.02, 0), 0.98 * share);
    EXPECT_GE(ratio_over({share, 0.01}, 60, 0, 0.02), 0.98 * share);
    EXPECT_GE(ratio_over({share, 0.01}, 60, 0.02, 0.02), 0.98 * share);
  }
}

TEST(Pacer, AlternatesStopsAndRuns) {
  Pacer pacer({0.25, 0.010}, 0);
  EXPECT_DOUBLE_EQ(pacer.next(), 0.008);
  EXPECT_EQ(pacer.step(0.004, false), Action::none) << "too early";
  EXPECT_EQ(pacer.step(0.008, false), Action::stop);
  EXPECT_TRUE(pacer.is_stopping());
  EXPECT_DOUBLE_EQ(pacer.next(), 0.0082) << "does it stand?";
  EXPECT_EQ(pacer.step(0.010, false), Action::none);
  EXPECT_EQ(pacer.step(0.012, true), Action::none);
  EXPECT_FALSE(pacer.is_stopping());
  EXPECT_DOUBLE_EQ(pacer.next(), 0.015) << "a quarter of the 12 ms that it ran";
  EXPECT_EQ(pacer.step(0.013, false), Action::none) << "not yet over";
  EXPECT_DOUBLE_EQ(pacer.stopped_until(0.013), 0.001);
  EXPECT_DOUBLE_EQ(pacer.run_until(0.013), 0.012);
  EXPECT_EQ(pacer.step(0.015, false), Action::go);
  EXPECT_DOUBLE_EQ(pacer.next(), 0.023);
}

TEST(Pacer, SkipsStopsAfterOneThatWasTooLong) {
  Pacer pacer({0.25, 0.010}, 0);
  ASSERT_EQ(pacer.step(0.008, false), Action::stop);
  ASSERT_EQ(pacer.step(0.008, true), Action::none);
  ASSERT_EQ(pacer.step(0.018, false), Action::go);  // 10 ms in place of 2
  for (const double now : {0.026, 0.034, 0.042}) {  // 16, 24, 32 ms run owe 4, 6, 8
    EXPECT_EQ(pacer.step(now, false), Action::none);
    EXPECT_FALSE(pacer.is_stopping());
  }
  EXPECT_EQ(pacer.step(0.054, false), Action::stop) << "44 ms run owe 11";
  EXPECT_EQ(pacer.step(0.054, true), Action::none);
  EXPECT_NEAR(pacer.next(), 0.055, 1e-12);
}

TEST(Pacer, GivesUpOnAProcessThatDoesNotStop) {
  Pacer pacer({0.5, 0.010}, 0);
  ASSERT_EQ(pacer.step(0.010, false), Action::stop);
  EXPECT_EQ(pacer.step(0.010 + 0.9 * Pacer::kPatience, false), Action::none);
  EXPECT_TRUE(pacer.is_stopping());
  EXPECT_EQ(pacer.step(0.010 + 1.1 * Pacer::kPatience, false), Action::none);
  EXPECT_FALSE(pacer.is_stopping());
  EXPECT_GT(pacer.next(), 0.010 + 1.1 * Pacer::kPatience);
}

TEST(StopAndGo, NeedsShareAndPeriod) {
  EXPECT_FALSE(StopAndGo{}.wanted());
  EXPECT_FALSE((StopAndGo{0, 0.01}).wanted());
  EXPECT_FALSE((StopAndGo{0.1, 0}).wanted());
  EXPECT_TRUE((StopAndGo{0.1, 0.01}).wanted());
}

}  // namespace
}  // namespace perf
