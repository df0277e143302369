#include "ci/cli/git_bisect.h"

#include <gtest/gtest.h>

#include "ci/cli/exit_code.h"

namespace perf {
namespace {

Report report_with(std::initializer_list<Verdict> verdicts) {
  Report report;
  for (const Verdict verdict : verdicts) {
    Comparison comparison;
    comparison.verdict = verdict;
    report.comparisons.push_back(comparison);
  }
  return report;
}

TEST(GitBisectCode, OnlyARegressionIsBad) {
  EXPECT_EQ(git_bisect_code(report_with({Verdict::unchanged, Verdict::improved})), kBisectGood);
  EXPECT_EQ(git_bisect_code(report_with({Verdict::failed, Verdict::regressed})), kBisectBad);
  for (const Verdict verdict : {Verdict::inconclusive, Verdict::incomparable, Verdict::failed}) {
    EXPECT_EQ(git_bisect_code(report_with({Verdict::unchanged, verdict})), kBisectSkip);
  }
}

/// A workload that was added or removed between GOOD and the commit.
TEST(GitBisectCode, WhatOneSideLacksSaysNothing) {
  EXPECT_EQ(git_bisect_code(report_with({Verdict::unchanged, Verdict::missing})), kBisectGood);
  EXPECT_EQ(git_bisect_code(report_with({Verdict::unchanged, Verdict::fresh})), kBisectGood);
  EXPECT_EQ(git_bisect_code(report_with({Verdict::regressed, Verdict::fresh})), kBisectBad);
  EXPECT_EQ(git_bisect_code(report_with({Verdict::missing, Verdict::fresh})), kBisectSkip);
}

TEST(GitBisectCode, OnlyAnInterruptionStopsIt) {
  EXPECT_EQ(git_bisect_code(kAskedWrongly), kBisectSkip);
  EXPECT_EQ(git_bisect_code(kNotMeasured), kBisectSkip);
  EXPECT_EQ(git_bisect_code(130), 130);
}

}  // namespace
}  // namespace perf
