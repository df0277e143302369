// Steps that are placed by what commits run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analyzer/trend/confirmations.h"
#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::add_series;
using scripted::History;
using scripted::history_of;
using scripted::noisy;
using scripted::oid_at;
using scripted::stepped;

constexpr std::size_t kCommits = 60, kStep = 40;

/// Commit i runs the program `programs[i]`; `?`: in doubt, `.`: nobody looked.
void add_programs(History& history, const std::string& programs, const std::string& workload = "w",
                  const std::string& fingerprint = "m1") {
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (programs[i] != '.') {
      history.recorded.programs.push_back({oid_at(i),
                                           fingerprint,
                                           workload,
                                           {},
                                           "",
                                           programs[i] == '?' ? "" : std::string(1, programs[i])});
    }
  }
}

/// `a` up to a commit, then `b`.
std::string changing_at(std::size_t at) {
  return std::string(at, 'a') + std::string(kCommits - at, 'b');
}

/// Quiet values, 5 % more from kStep on; the first of these looks as the old ones do.
std::vector<double> late_step() {
  std::vector<double> values = stepped(noisy(kCommits, 0.015, 7), kStep, 0.05);
  values[kStep] = 0.1015;
  return values;
}

ChangePoint only_step(const History& history) {
  const TrendReport report = trend(history.inputs());
  EXPECT_EQ(report.series.size(), 1U);
  EXPECT_EQ(report.series[0].change_points.size(), 1U);
  return report.series[0].change_points.empty() ? ChangePoint{} : report.series[0].change_points[0];
}

ChangePoint step_with(const std::string& programs) {
  History history = history_of(kCommits);
  add_series(history, "w", late_step());
  add_programs(history, programs);
  return only_step(history);
}

TEST(ProgramBorders, AreUnknownWithoutTraces) {
  const ChangePoint step = step_with("");
  EXPECT_EQ(step.commit, kStep + 1) << "where the detector sees it";
  EXPECT_FALSE(step.border);
  EXPECT_FALSE(step.same_program);
}

TEST(ProgramBorders, MoveANeighbouringStep) {
  const ChangePoint step = step_with(changing_at(kStep));
  EXPECT_EQ(step.border, -1);
  EXPECT_EQ(step.commit, kStep);
  EXPECT_EQ(step.index, kStep);
  EXPECT_EQ(step.previous, kStep - 1);
  EXPECT_EQ(step.commits, 1);
  EXPECT_NE(step.confirm.find(oid_at(kStep - 1).substr(0, 12)), std::string::npos) << step.confirm;
  EXPECT_EQ(step.state, AlertState::fresh);
}

TEST(ProgramBorders, LeaveAStepThatLiesAtOne) {
  const ChangePoint step = step_with(changing_at(kStep + 1));
  EXPECT_EQ(step.border, 0);
  EXPECT_EQ(step.commit, kStep + 1);
}

TEST(ProgramBorders, DoNotMoveDistantSteps) {
  for (const std::size_t border : {kStep - 15, kStep + 15}) {
    const ChangePoint step = step_with(changing_at(border));
    EXPECT_EQ(step.commit, kStep + 1) << border;
    EXPECT_FALSE(step.border) << border;
  }
}

TEST(ProgramBorders, DoNotMoveStepsPastUnknownPrograms) {
  // The commit before the step may have another program than its neighbours: it may have done it.
  std::string programs = changing_at(kStep - 1);
  programs[kStep] = '?';
  EXPECT_EQ(step_with(programs).commit, kStep + 1);
  EXPECT_FALSE(step_with(programs).border);
  EXPECT_FALSE(step_with(programs).same_program);
  programs[kStep] = '.';
  EXPECT_FALSE(step_with(programs).border);
  EXPECT_FALSE(step_with(programs).same_program);
}

TEST(ProgramBorders, AreAbsentWhereNoCommitChangedTheProgram) {
  History history = history_of(kCommits);
  add_series(history, "w", late_step());
  add_programs(history, std::string(kCommits, 'a'));
  history.recorded.runs.push_back(
      {"run-2", "2026-02-01T00:00:00Z", 0, {{"governor", "powersave"}}});
  history.recorded.runs[0].facts = {{"governor", "performance"}};
  for (RecordedValue& value : history.recorded.series[0].values) {
    value.run = value.commit > kStep ? 1 : 0;
  }
  const ChangePoint step = only_step(history);
  EXPECT_TRUE(step.same_program);
  EXPECT_FALSE(step.border);
  EXPECT_EQ(step.changed_outside, (std::vector<std::string>{"governor: performance -> powersave"}));
  EXPECT_EQ(step.state, AlertState::fresh) << "the alert stays";
  EXPECT_EQ(step.commit, kStep + 1);
  // A trace acquits nobody: pairs do, and where they differ the trace misses an input.
  EXPECT_TRUE(step.confirm.ends_with(" --measure all")) << step.confirm;
  TrendReport report = trend(history.inputs());
  const std::vector<Confirmation> wanted = confirmations(report);
  ASSERT_EQ(wanted.size(), 1U);
  EXPECT_FALSE(contradicts_trace(report.series[0].key, report.series[0].change_points[0]));
  Report result;
  result.id = "run-5";
  result.comparisons.resize(1);
  result.comparisons[0].workload = "w";
  result.comparisons[0].metric = kStepTime;
  result.comparisons[0].verdict = Verdict::regressed;
  apply_confirmation(report, wanted[0], result);
  EXPECT_TRUE(contradicts_trace(report.series[0].key, report.series[0].change_points[0]));
  EXPECT_EQ(report.series[0].change_points[0].state, AlertState::fresh);
}

// In pairs the machine is no cause.
TEST(ProgramBorders, OfPairedSeriesContradictTheTrace) {
  History history = history_of(kCommits);
  add_series(history, "w", late_step(), "").anchor = oid_at(0);
  add_programs(history, std::string(kCommits, 'a'));
  const TrendReport report = trend(history.inputs());
  const ChangePoint& step = report.series.at(0).change_points.at(0);
  EXPECT_TRUE(step.same_program);
  EXPECT_TRUE(contradicts_trace(report.series[0].key, step));
}

TEST(ProgramBorders, DoNotClearCommitsInDoubt) {
  for (const char hole : {'?', '.'}) {
    for (const std::size_t at : {kStep - 1, kStep, kStep + 1, kStep + 2}) {
      std::string programs(kCommits, 'a');
      programs[at] = hole;
      EXPECT_FALSE(step_with(programs).same_program) << hole << at;
    }
  }
}

TEST(ProgramBorders, DoNotClearUnmeasuredCommits) {
  // Every other commit is measured; those between may have changed it, and changed it back.
  History history = history_of(2 * kCommits);
  add_series(history, "w", late_step(), "m1", kStepTime, 0, 2);
  std::string programs;
  for (std::size_t i = 0; i < kCommits; ++i) {
    programs += "a.";
  }
  add_programs(history, programs);
  EXPECT_FALSE(only_step(history).same_program);
  history.recorded.programs.clear();
  add_programs(history, std::string(2 * kCommits, 'a'));
  EXPECT_TRUE(only_step(history).same_program);
}

TEST(ProgramBorders, IgnoreOtherWorkloadsAndMachines) {
  for (const auto& [workload, machine] : {std::pair{"other", "m1"}, std::pair{"w", "m2"}}) {
    History history = history_of(kCommits);
    add_series(history, "w", late_step());
    add_programs(history, changing_at(kStep), workload, machine);
    EXPECT_FALSE(only_step(history).border) << workload << machine;
  }
}

TEST(ProgramBorders, DoNotMoveAnchoredStepsOfTwoMachines) {
  History history = history_of(kCommits);
  RecordedSeries& series = add_series(history, "w", late_step(), "");
  series.anchor = oid_at(0);
  add_programs(history, changing_at(kStep), "w", "m1");
  EXPECT_EQ(only_step(history).border, -1);
  add_programs(history, changing_at(kStep), "w", "m2");
  EXPECT_FALSE(only_step(history).border);
}

TEST(ProgramBorders, KeepStepsApartAndInOrder) {
  History history = history_of(kCommits);
  std::vector<double> values = stepped(stepped(noisy(kCommits, 0.004, 3), 20, 0.05), 26, 0.05);
  add_series(history, "w", values);
  // One border between both steps: it is one's alone.
  add_programs(history, std::string(23, 'a') + std::string(kCommits - 23, 'b'));
  const TrendReport report = trend(history.inputs());
  ASSERT_EQ(report.series[0].change_points.size(), 2U);
  EXPECT_LT(report.series[0].change_points[0].index, report.series[0].change_points[1].index);
}

TEST(StepInterval, CoversTheTruePlaceAtItsLevel) {
  std::mt19937_64 random(20261125);
  std::normal_distribution<double> normal;
  int held = 0, exact = 0;
  constexpr int kSeries = 2000;
  double width = 0;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> y;
    for (int at = 0; at < 40; ++at) {
      y.push_back((at < 20 ? 0 : 0.05) + 0.02 * normal(random));
    }
    // The best cut, as a detector places it.
    const StepInterval all = step_interval(y, 0, 20, 40, 0.02, 1, 1);
    const auto best =
        static_cast<std::size_t>(std::ranges::max_element(all.weights) - all.weights.begin() + 1);
    const StepInterval interval = step_interval(y, 0, best, 40, 0.02, 1, 0.95);
    held += interval.first <= 20 && interval.last >= 20;
    exact += best == 20;
    width += static_cast<double>(interval.last - interval.first + 1) / kSeries;
  }
  EXPECT_GE(held, 0.94 * kSeries);
  EXPECT_LT(exact, 0.85 * kSeries) << "else there is nothing to place";
  EXPECT_LT(width, 6);
}

/// The figures that docs/trend.md has.
TEST(ProgramBorders, ImproveMorePlacesThanTheyWorsen) {
  int off_before = 0, off_after = 0, found = 0, acquitted = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const std::vector<double> values = stepped(noisy(kCommits, 0.02, 900 + seed), 30, 0.05);
    History history = history_of(kCommits);
    add_series(history, "w", values);
    const TrendReport plain = trend(history.inputs());
    std::string programs;
    for (std::size_t i = 0; i < kCommits; ++i) {
      programs += static_cast<char>('a' + i / 6);  // a border every 6 commits, one of them at 30
    }
    add_programs(history, programs);
    const TrendReport placed = trend(history.inputs());
    if (plain.series[0].change_points.size() != 1) {
      continue;
    }
    ++found;
    off_before += plain.series[0].change_points[0].commit != 30;
    off_after += placed.series[0].change_points[0].commit != 30;
    acquitted += placed.series[0].change_points[0].same_program;
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(off_before, found / 6);
  EXPECT_LT(off_after, off_before / 3);
  EXPECT_EQ(acquitted, 0);
  RecordProperty("found", found);
  RecordProperty("off_before", off_before);
  RecordProperty("off_after", off_after);
}

}  // namespace
}  // namespace perf
