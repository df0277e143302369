#include "analyzer/trend/confirmations.h"

#include <gtest/gtest.h>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::oid_at;
using scripted::stepped;

TrendReport two_alerts() {
  History history = scripted::history_of(100);
  scripted::add_series(history, "big", stepped(noisy(100, 0.001, 1), 60, 0.30));
  scripted::add_series(history, "same", stepped(noisy(100, 0.001, 2), 40, 0.06));
  scripted::add_series(history, "small", stepped(noisy(100, 0.001, 3), 40, 0.05));
  for (int i = 0; i < 30; ++i)  // so that three of them are no machine event
  {
    scripted::add_series(history, "w" + std::to_string(i), noisy(100, 0.001, 10));
  }
  return trend(history.inputs());
}

Report said(const std::string& workload, Verdict verdict) {
  Report report;
  report.id = "run-5";
  Comparison row;
  row.workload = workload;
  row.metric = kStepTime;
  row.verdict = verdict;
  report.comparisons.push_back(row);
  return report;
}

const ChangePoint& step_of(const TrendReport& report, const std::string& workload) {
  for (const TrendSeries& series : report.series) {
    if (series.key.workload == workload) {
      return series.change_points.at(0);
    }
  }
  throw std::out_of_range(workload);
}

TEST(Confirmations, MergeCommitPairsAndSortByEvidence) {
  const std::vector<Confirmation> wanted = confirmations(two_alerts());
  ASSERT_EQ(wanted.size(), 2U);
  EXPECT_EQ(wanted[0].previous_oid, oid_at(59));
  EXPECT_EQ(wanted[0].oid, oid_at(60));
  EXPECT_EQ(wanted[0].workloads, std::vector<std::string>{"big"});
  EXPECT_EQ(wanted[0].metrics, std::vector<std::string>{"step_time"});
  EXPECT_EQ(wanted[0].threshold, 0.10) << "the policy's";
  EXPECT_EQ(wanted[1].workloads, (std::vector<std::string>{"same", "small"}));
  EXPECT_NEAR(wanted[1].threshold, 0.025, 0.0011) << "half of the smaller change";
}

TEST(Confirmations, PreferTheClearestToTheLargest) {
  TrendReport report = two_alerts();
  for (TrendSeries& series : report.series) {
    for (ChangePoint& step : series.change_points) {
      step.evidence = series.key.workload == "big" ? 5 : 6;
    }
  }
  EXPECT_EQ(confirmations(report).at(0).workloads, (std::vector<std::string>{"same", "small"}));
}

TEST(Confirmations, ConfirmByARegression) {
  TrendReport report = two_alerts();
  const Confirmation asked = confirmations(report)[1];
  apply_confirmation(report, asked, said("same", Verdict::regressed));
  EXPECT_EQ(step_of(report, "same").state, AlertState::fresh);
  EXPECT_EQ(step_of(report, "same").confirmed_by, "run-5");
  EXPECT_EQ(step_of(report, "small").confirmed_by, "");
  EXPECT_EQ(step_of(report, "big").confirmed_by, "");
  const AlertRecord record = to_remember(report, "tonight");
  EXPECT_EQ(record.fresh.size(), 3U);
  ASSERT_EQ(record.news.size(), 1U);
  EXPECT_EQ(record.news[0].first, step_of(report, "same").alert_id);
  EXPECT_EQ(record.news[0].second.news, AlertNews::confirmed);
  EXPECT_EQ(record.news[0].second.run_id, "run-5");
  EXPECT_EQ(record.news[0].second.at, "tonight");
}

TEST(Confirmations, RefuteWithoutARegression) {
  for (const Verdict verdict : {Verdict::unchanged, Verdict::improved}) {
    TrendReport report = two_alerts();
    apply_confirmation(report, confirmations(report)[0], said("big", verdict));
    EXPECT_EQ(step_of(report, "big").state, AlertState::refuted);
    EXPECT_EQ(confirmations(report).size(), 1U);
    const AlertRecord record = to_remember(report, "tonight");
    ASSERT_EQ(record.news.size(), 1U);
    EXPECT_EQ(record.news[0].second.news, AlertNews::refuted);
  }
}

TEST(Confirmations, ChangeNothingByOtherVerdicts) {
  for (const Verdict verdict : {Verdict::inconclusive, Verdict::failed, Verdict::fresh}) {
    TrendReport report = two_alerts();
    apply_confirmation(report, confirmations(report)[0], said("big", verdict));
    EXPECT_EQ(step_of(report, "big").state, AlertState::fresh);
    EXPECT_TRUE(to_remember(report, "tonight").news.empty());
    EXPECT_EQ(report.confirmations.size(), 1U);
  }
}

/// The alerts of a report turned back into suspects.
TrendReport suspected() {
  TrendReport report = two_alerts();
  for (TrendSeries& series : report.series) {
    for (ChangePoint& step : series.change_points) {
      step.state = AlertState::none;
    }
    series.suspects.swap(series.change_points);
  }
  return report;
}

TEST(Confirmations, NameAlertsThatCannotBeMeasured) {
  TrendReport report = two_alerts();
  EXPECT_TRUE(unsettled_for_good(report).empty());
  for (TrendSeries& series : report.series) {
    series.can_be_compared = false;
    for (ChangePoint& step : series.change_points) {
      step.state = AlertState::known;
    }
  }
  EXPECT_TRUE(confirmations(report).empty());
  EXPECT_EQ(unsettled_for_good(report), (std::vector<std::string>{"big", "same", "small"}));
}

TEST(Confirmations, PreferNewAlertsToKnownOnes) {
  TrendReport report = two_alerts();
  for (TrendSeries& series : report.series) {
    for (ChangePoint& step : series.change_points) {
      if (series.key.workload == "big" && step.state == AlertState::fresh) {
        step.state = AlertState::known;
      }
    }
  }
  const std::vector<Confirmation> wanted = confirmations(report);
  ASSERT_EQ(wanted.size(), 2U);
  EXPECT_EQ(wanted[1].workloads, std::vector<std::string>{"big"});
  apply_confirmation(report, wanted[1], said("big", Verdict::regressed));
  EXPECT_EQ(step_of(report, "big").state, AlertState::known);
  EXPECT_EQ(confirmations(report).size(), 1U) << "it is settled";
}

TEST(Confirmations, MakeAConfirmedSuspectANewAlert) {
  TrendReport report = suspected();
  ASSERT_EQ(confirmations(report).size(), 2U);
  EXPECT_TRUE(to_remember(report, "tonight").fresh.empty());
  apply_confirmation(report, confirmations(report)[0], said("big", Verdict::regressed));
  EXPECT_EQ(step_of(report, "big").state, AlertState::fresh);
  EXPECT_TRUE(report.series[0].suspects.empty());
  const AlertRecord record = to_remember(report, "tonight");
  ASSERT_EQ(record.fresh.size(), 1U);
  EXPECT_EQ(record.news.size(), 1U);
  EXPECT_EQ(record.fresh[0].id, record.news[0].first);
}

TEST(Confirmations, SkipARefutedSuspect) {
  TrendReport report = suspected();
  apply_confirmation(report, confirmations(report)[0], said("big", Verdict::unchanged));
  EXPECT_EQ(report.series[0].suspects.at(0).state, AlertState::refuted);
  EXPECT_EQ(confirmations(report).size(), 1U);
  EXPECT_EQ(to_remember(report, "tonight").news.size(), 1U);
  EXPECT_EQ(to_remember(report, "tonight").fresh.size(), 1U);
}

TEST(Confirmations, DecideOnlyTheStepOfAMachineEvent) {
  History history = scripted::history_of(100);
  for (int i = 0; i < 5; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         stepped(noisy(100, 0.001, 10), 60, 0.10 + 0.05 * i));
  }
  TrendReport report = trend(history.inputs());
  ASSERT_EQ(report.machine_events.size(), 1U);
  const std::vector<Confirmation> wanted = confirmations(report);
  ASSERT_EQ(wanted.size(), 1U);
  EXPECT_EQ(wanted[0].workloads, std::vector<std::string>{"w4"});
  TrendReport refuted = report;
  apply_confirmation(refuted, wanted[0], said("w4", Verdict::unchanged));
  EXPECT_EQ(step_of(refuted, "w4").state, AlertState::none);
  apply_confirmation(report, wanted[0], said("w4", Verdict::regressed));
  EXPECT_EQ(step_of(report, "w4").state, AlertState::fresh);
  EXPECT_EQ(step_of(report, "w3").state, AlertState::none);
  const AlertRecord record = to_remember(report, "tonight");
  EXPECT_EQ(record.fresh.size(), 5U);
  ASSERT_EQ(record.news.size(), 1U);
  for (const Alert& alert : record.fresh) {
    EXPECT_EQ(alert.events.size(), alert.id == record.news[0].first ? 1U : 0U);
  }
}

}  // namespace
}  // namespace perf
