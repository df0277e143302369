#include <gtest/gtest.h>

#include "ci/cli/output/end_command.h"

namespace perf {
namespace {

Report with(std::initializer_list<Verdict> verdicts) {
  Report report;
  for (const Verdict verdict : verdicts) {
    Comparison comparison;
    comparison.verdict = verdict;
    report.comparisons.push_back(comparison);
  }
  return report;
}

TEST(ExitCode, IsTheFirstThatApplies) {
  EXPECT_EQ(exit_code(with({Verdict::unchanged, Verdict::improved, Verdict::fresh}), true), kFine);
  EXPECT_EQ(exit_code(with({Verdict::failed, Verdict::regressed}), false), kRegression);
  EXPECT_EQ(exit_code(with({Verdict::failed, Verdict::inconclusive}), true), kNotMeasured);
}

TEST(ExitCode, ReportsUndecidedOnlyIfStrict) {
  for (const Verdict verdict : {Verdict::inconclusive, Verdict::incomparable, Verdict::missing}) {
    EXPECT_EQ(exit_code(with({verdict, Verdict::unchanged}), false), kFine);
    EXPECT_EQ(exit_code(with({verdict, Verdict::unchanged}), true), kUndecided);
  }
}

TEST(ExitCode, ReportsThatNothingWasCompared) {
  using enum Verdict;
  for (const Report& nothing : {with({}), with({incomparable}), with({missing}),
                                with({missing, fresh}), with({incomparable, fresh})}) {
    EXPECT_EQ(exit_code(nothing, false), kNotMeasured);
    EXPECT_EQ(exit_code(nothing, true), kNotMeasured);
    EXPECT_EQ(git_bisect_code(nothing), kBisectSkip);
  }
  EXPECT_EQ(exit_code(with({fresh, fresh}), true), kFine);  // adoption
  EXPECT_EQ(exit_code(with({inconclusive, incomparable}), false), kFine);
}

TEST(ExitCode, IgnoresUnjudgedRows) {
  Report report = with({Verdict::regressed, Verdict::unchanged});
  report.comparisons[0].judged = false;
  EXPECT_EQ(exit_code(report, true), kFine);
  report.comparisons.pop_back();
  EXPECT_EQ(exit_code(report, false), kNotMeasured);
  report.comparisons.push_back(with({Verdict::fresh}).comparisons[0]);
  EXPECT_EQ(exit_code(report, false), kFine);
}

TEST(ExitCode, CountsANewCheckFailureAsARegression) {
  Report report = with({Verdict::improved});
  report.comparisons[0].checks.push_back({"sum", true, false, 0.5, 0.1});
  EXPECT_EQ(exit_code(report, false), kRegression);
  report.comparisons[0].checks[0].base = false;
  EXPECT_EQ(exit_code(report, false), kFine);
  report.comparisons[0].checks[0].base.reset();  // new at head, and wrong from the start
  EXPECT_EQ(exit_code(report, false), kRegression);
}

TEST(ExitCode, CountsAMissedTargetAsARegression) {
  Report report = with({Verdict::unchanged});
  report.targets.push_back({});
  EXPECT_EQ(exit_code(report, false), kFine);
  report.targets[0].met = false;
  EXPECT_EQ(exit_code(report, false), kRegression);
}

TEST(ExitCode, ReportsThatNothingRan) {
  Report report;
  report.nothing_ran = true;
  EXPECT_EQ(exit_code(report, false), kNotMeasured);
}

TEST(GitBisectCode, IsBadOnlyForARegression) {
  EXPECT_EQ(git_bisect_code(with({Verdict::unchanged, Verdict::improved})), kBisectGood);
  EXPECT_EQ(git_bisect_code(with({Verdict::failed, Verdict::regressed})), kBisectBad);
  for (const Verdict verdict : {Verdict::inconclusive, Verdict::incomparable, Verdict::failed}) {
    EXPECT_EQ(git_bisect_code(with({Verdict::unchanged, verdict})), kBisectSkip);
  }
}

/// A workload that was added or removed between GOOD and the commit.
TEST(GitBisectCode, IgnoresOneSidedWorkloads) {
  EXPECT_EQ(git_bisect_code(with({Verdict::unchanged, Verdict::missing})), kBisectGood);
  EXPECT_EQ(git_bisect_code(with({Verdict::unchanged, Verdict::fresh})), kBisectGood);
  EXPECT_EQ(git_bisect_code(with({Verdict::regressed, Verdict::fresh})), kBisectBad);
  EXPECT_EQ(git_bisect_code(with({Verdict::missing, Verdict::fresh})), kBisectSkip);
}

TEST(GitBisectCode, StopsOnlyOnAnInterruption) {
  EXPECT_EQ(git_bisect_code(kUsageError), kBisectSkip);
  EXPECT_EQ(git_bisect_code(kNotMeasured), kBisectSkip);
  EXPECT_EQ(git_bisect_code(130), 130);
}

}  // namespace
}  // namespace perf
