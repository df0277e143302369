#include "analyzer/join_shards.h"

#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "schema/error.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

/// A workload of a plan, and how much slower head is.
struct Measured {
  std::string name;
  double ratio = 1;
  int pairs = 16;
};

Policy whole_policy() {
  Policy policy;
  policy.budget = 1;  // of which each run has spent everything
  return policy;
}

/// The run of a shard, `all` workloads being the plan's.
ReportOfRun shard_of(int number, int count, const std::vector<Measured>& workloads, int all,
                     const std::vector<Target>& targets = {}, Policy policy = whole_policy()) {
  ReportOfRun run;
  std::vector<std::string> names;
  for (const Measured& one : workloads) {
    names.push_back(one.name);
    scripted::add_pairs(run.measurements, one.name, one.pairs, one.ratio);
  }
  run.plan = scripted::plan_of(names);
  run.plan.run_id = "run-" + std::to_string(number);
  run.plan.digest = std::string(16, 'd');
  run.plan.host = std::string(32, static_cast<char>('0' + number));
  run.plan.shard = Shard{number, count};
  run.plan.environment.fingerprint = "here";
  run.measurements.measured = 2;
  run.measurements.budget_spent = true;
  policy.alpha_share = static_cast<double>(workloads.size()) / all;
  run.report = analyze(run.plan, run.measurements, policy, targets);
  run.report.generated_at = "2026-01-0" + std::to_string(number) + "T00:00:00Z";
  return run;
}

TEST(JoinShards, IsTheReportOfTheWhole) {
  const std::vector<Measured> all{{"f/a"}, {"f/b", 1.3}, {"f/c"}, {"g"}};
  Report whole = shard_of(1, 1, all, 4).report;
  const Report joined =
      join_shards({shard_of(2, 2, {all[1], all[3]}, 4), shard_of(1, 2, {all[0], all[2]}, 4)});
  EXPECT_EQ(joined.id, std::string(16, 'd'));
  EXPECT_FALSE(joined.shard);
  EXPECT_EQ(joined.policy.alpha_share, 1);
  EXPECT_EQ(joined.judged, whole.judged);
  EXPECT_EQ(joined.summary.verdict, Verdict::regressed);
  EXPECT_EQ(joined.summary.counts, whole.summary.counts);
  ASSERT_EQ(joined.comparisons.size(), whole.comparisons.size());
  for (std::size_t i = 0; i < whole.comparisons.size(); ++i) {
    const Comparison &one = joined.comparisons[i], &other = whole.comparisons[i];
    EXPECT_EQ(one.workload + one.metric.name, other.workload + other.metric.name);
    EXPECT_EQ(one.verdict, other.verdict) << one.workload;
    EXPECT_NEAR(*one.look_alpha, *other.look_alpha, 1e-15) << one.workload;
    EXPECT_EQ(one.pairs, other.pairs);
    EXPECT_EQ(one.interval->low, other.interval->low);
  }
  ASSERT_EQ(joined.families.size(), 2U) << "of workloads of both";
  EXPECT_EQ(joined.families[0].workloads, 3);
  EXPECT_DOUBLE_EQ(joined.families[0].change, whole.families[0].change);
  EXPECT_DOUBLE_EQ(joined.measured, 4);
  EXPECT_EQ(joined.generated_at, "2026-01-02T00:00:00Z");
  ASSERT_EQ(joined.environments.size(), 2U);
  EXPECT_EQ(joined.environments[0].workloads, (std::vector<std::string>{"f/a", "f/c"}));
  EXPECT_TRUE(joined.missing_shards.empty());
}

/// What one shard decided at its own a' stands, though of all rows together it would be another.
TEST(JoinShards, LeavesRowsAsTheirShardDecided) {
  const ReportOfRun many = shard_of(2, 2, {{"b"}, {"c"}}, 3);
  Policy only_time = whole_policy();
  only_time.metrics = {"step_time"};
  const ReportOfRun one_metric = shard_of(1, 2, {{"a"}}, 3, {}, only_time);
  const Report joined = join_shards({one_metric, many});
  EXPECT_EQ(joined.judged, 5);
  EXPECT_DOUBLE_EQ(*scripted::row_of(joined, "a").look_alpha, 0.01 / 3 / (1 * 6));
  EXPECT_DOUBLE_EQ(*scripted::row_of(joined, "b").look_alpha, 0.01 * 2 / 3 / (4 * 6));
  double spent = 0;
  for (const Comparison& row : joined.comparisons) {
    spent += 6 * row.look_alpha.value_or(0);
  }
  EXPECT_LE(spent, 0.01 * (1 + 1e-12));
}

TEST(JoinShards, NamesWhatIsMissing) {
  ReportOfRun stopped = shard_of(3, 5, {{"c"}}, 3);
  stopped.report.interrupted = true;
  const Report joined = join_shards({shard_of(1, 5, {{"a"}}, 3), stopped, shard_of(4, 5, {}, 3)});
  EXPECT_EQ(joined.missing_shards, (std::vector<int>{2, 3, 5})) << "an empty one is done";
  EXPECT_TRUE(joined.interrupted);
  std::vector<std::string> named;
  for (const Warning& warning : joined.warnings) {
    if (warning.kind == WarningKind::shard_missing) {
      named.push_back(warning.about.at("shard"));
    }
  }
  EXPECT_EQ(named, (std::vector<std::string>{"2/5", "5/5"}));
}

TEST(JoinShards, IgnoresEmptyShards) {
  EXPECT_FALSE(join_shards({shard_of(1, 2, {{"a"}}, 1), shard_of(2, 2, {}, 1)}).nothing_ran);
  ReportOfRun dead = shard_of(1, 2, {{"a", 1, 0}}, 1);
  ASSERT_TRUE(dead.report.nothing_ran);
  EXPECT_TRUE(join_shards({dead, shard_of(2, 2, {}, 1)}).nothing_ran);
  EXPECT_FALSE(join_shards({dead, shard_of(2, 2, {{"b"}}, 2)}).nothing_ran);
}

TEST(JoinShards, MergesAWarningOfAllShards) {
  ReportOfRun one = shard_of(1, 2, {{"a"}}, 2), other = shard_of(2, 2, {{"b"}}, 2);
  const Warning shared{WarningKind::uncommitted_files, {{"files", 3}}, {}};
  const Warning own{WarningKind::machine_pressure, {{"share", 0.5}}, {}};
  one.report.warnings = {shared, own};
  other.report.warnings = {shared};
  const Report joined = join_shards({one, other});
  ASSERT_EQ(joined.warnings.size(), 2U);
  EXPECT_EQ(joined.warnings[0], shared);
  EXPECT_EQ(joined.warnings[1].about.at("of_shard"), "1/2");
}

Target ratio(const std::string& of, const std::string& over, double at_most) {
  Target target;
  target.name = of + " by " + over;
  target.of = of;
  target.over = over;
  target.at_most = at_most;
  return target;
}

TEST(JoinShards, ComputesRatiosOfMachinesThatAreAlike) {
  const std::vector<Target> targets{ratio("a", "b", 0.9), ratio("a", "c", 2),
                                    ratio("b", "gone", 2)};
  const auto joined = [&](const std::string& fingerprint) {
    ReportOfRun one = shard_of(1, 2, {{"a"}, {"c"}}, 3, targets);
    ReportOfRun other = shard_of(2, 2, {{"b", 0.5}}, 3, targets);
    other.plan.environment.fingerprint = fingerprint;
    return join_shards({one, other});
  };
  const Report alike = joined("here"), unlike = joined("there");
  ASSERT_EQ(alike.targets.size(), 3U);
  EXPECT_NEAR(*alike.targets[0].value, 2, 0.02) << "a takes twice as long as b";
  EXPECT_EQ(alike.targets[0].met, false);
  EXPECT_NEAR(*alike.targets[1].value, 1, 0.02);
  EXPECT_FALSE(alike.targets[2].value) << "nobody measured it";
  EXPECT_FALSE(unlike.targets[0].value);
  EXPECT_FALSE(unlike.targets[0].met);
  EXPECT_TRUE(unlike.targets[1].met) << "of one shard";
  for (const Report* report : {&alike, &unlike}) {
    ASSERT_EQ(report->warnings.size(), 1U);
    EXPECT_EQ(report->warnings[0].kind, WarningKind::target_across_shards);
    EXPECT_EQ(report->warnings[0].about.at("shards"), "1/2 and 2/2");
  }
  EXPECT_EQ(alike.warnings[0].about.at("hosts"), "two hosts of the same kind");
}

/// A shard cannot tell whether another has the metric; all of them can.
TEST(JoinShards, RefusesAMetricThatNoShardHas) {
  Policy misspelt = whole_policy();
  misspelt.metrics = {"step_tine"};
  const ReportOfRun one = shard_of(1, 2, {{"a"}}, 2, {}, misspelt);
  const ReportOfRun other = shard_of(2, 2, {{"b"}}, 2, {}, misspelt);
  EXPECT_THROW(join_shards({one, other}), UsageError);
  EXPECT_NO_THROW(join_shards({one})) << "the one that is missing may have it";
}

TEST(JoinShards, ReportsWhatWouldDecideAllShards) {
  ReportOfRun one = shard_of(1, 2, {{"a", 1, 3}}, 2), other = shard_of(2, 2, {{"b", 1, 3}}, 2);
  ASSERT_TRUE(one.report.undecided && other.report.undecided);
  one.report.undecided = Undecided{0.1, 30, 2};
  other.report.undecided = Undecided{std::nullopt, 90, 1};
  const Report joined = join_shards({one, other});
  ASSERT_TRUE(joined.undecided);
  EXPECT_EQ(joined.undecided->ruled_out, 0.1);
  EXPECT_EQ(joined.undecided->budget, 90) << "each shard has a budget of its own";
  EXPECT_EQ(joined.undecided->decides, 3);
  EXPECT_FALSE(join_shards({one, shard_of(2, 2, {{"b"}}, 2)}).undecided);
}

}  // namespace
}  // namespace perf
