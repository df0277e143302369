#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using store::Connection;

std::string oid_of(int commit) {
  std::string digits = std::to_string(commit);
  return std::string(40 - digits.size(), '0') + digits;
}

/// A night's run of one commit, on the first of a month: no base, one workload.
Plan night(int commit) {
  Plan plan = example::plan("night-" + std::to_string(commit));
  plan.purpose = Purpose::collect;
  plan.base.reset();
  plan.head.oid = oid_of(commit);
  plan.head.parents.clear();
  plan.head.dirty = false;
  plan.workloads.resize(1);
  return plan;
}

std::string month(int number) {
  return std::string("2026-") + (number < 10 ? "0" : "") + std::to_string(number) + "-01T00:00:00Z";
}

void add_night(Store& store, int commit, const std::string& started_at, int steps = 20) {
  const Plan plan = night(commit);
  store.begin_run(plan, example::policy(), "0.1.0", started_at);
  Invocation invocation = example::invocation(1, steps);
  invocation.oid = plan.head.oid;
  store.add(plan.run_id, invocation);
}

std::int64_t number(const fs::path& file, const std::string& query) {
  return Connection(file, Connection::Access::read_only).value<std::int64_t>(query).value_or(-1);
}

/// The nights that still have raw steps.
std::string with_steps(const fs::path& file) {
  Connection connection(file, Connection::Access::read_only);
  store::Statement rows = connection.query(
      "SELECT DISTINCT run.id FROM run JOIN invocation AS i ON i.run = run.key "
      "JOIN block AS b ON b.invocation = i.key JOIN step AS s ON s.block = b.key ORDER BY run.key");
  std::string text;
  for (std::string id; rows.next();) {
    rows.read(id);
    text += (text.empty() ? "" : " ") + id.substr(6);
  }
  return text;
}

/// Twelve nights, a month apart.
void make_year(const fs::path& file, int steps = 20) {
  Store store(file);
  for (int i = 1; i <= 12; ++i) {
    add_night(store, i, month(i), steps);
  }
}

class Prune : public testing::Test {
 protected:
  const example::Folder folder;
};

TEST_F(Prune, ReplacesOldRawStepsBySummaries) {
  make_year(folder / "results.db", 300);
  const auto before = static_cast<std::int64_t>(fs::file_size(folder / "results.db"));
  Store store(folder / "results.db");
  const PruneResult result = store.prune({month(9), {}, {}, false});
  EXPECT_EQ(result.runs, 9);
  EXPECT_EQ(result.steps, 9 * 301);
  EXPECT_EQ(result.phases, 9 * (300 * 2 + 3));
  EXPECT_EQ(result.kept_for_pins, 0);
  EXPECT_EQ(result.kept_for_changes, 0);
  EXPECT_EQ(result.bytes_before, before);
  EXPECT_EQ(result.bytes_after, static_cast<std::int64_t>(fs::file_size(folder / "results.db")));
  EXPECT_LT(result.bytes_after, before - 9 * 300 * 50);
  EXPECT_EQ(with_steps(folder / "results.db"), "10 11 12");
  EXPECT_TRUE(store.problems().empty());
  // Of 300 steps the first is warm-up; the other block is nothing but warm-up.
  EXPECT_EQ(number(folder / "results.db", "SELECT count(*) FROM pruned_block"), 9);
  EXPECT_EQ(number(folder / "results.db",
                   "SELECT count(*) FROM pruned_block WHERE warmup = 1 AND min < mean AND mean < "
                   "p90 AND p90 < max AND stddev > 0"),
            9);
  EXPECT_EQ(number(folder / "results.db", "SELECT count(*) FROM metric_value"), 12 * 4);
  const Measurements measurements = store.load("night-1");
  ASSERT_EQ(measurements.invocations.size(), 1U);
  EXPECT_TRUE(measurements.invocations[0].blocks[0].steps.empty());
  ASSERT_TRUE(measurements.invocations[0].blocks[0].pruned.has_value());
  EXPECT_EQ(measurements.invocations[0].blocks[0].pruned->timed, 299);
  EXPECT_EQ(measurements.invocations[0].blocks[0].pruned->warmup, 1);
  // What good invocations printed goes too.
  EXPECT_EQ(number(folder / "results.db", "SELECT count(*) FROM output"), 3);

  const PruneResult again = store.prune({month(9), {}, {}, false});
  EXPECT_EQ(again.runs, 0);
  EXPECT_EQ(again.steps, 0);
  EXPECT_EQ(number(folder / "results.db", "SELECT count(*) FROM pruned_block"), 9);
}

/// Every value of step_time along the year.
std::vector<double> step_times(const Store& store) {
  HistoryQuery query;
  query.size = "smoke";
  query.metrics = {"step_time"};
  for (int i = 1; i <= 12; ++i) {
    query.oids.push_back(oid_of(i));
  }
  std::vector<double> values;
  for (const RecordedSeries& series : store.load_recorded(query).series) {
    for (const RecordedValue& value : series.values) {
      values.push_back(value.value);
    }
  }
  return values;
}

TEST_F(Prune, KeepsTheValuesOfHistory) {
  make_year(folder / "results.db");
  Store store(folder / "results.db");
  const std::vector<double> before = step_times(store);
  EXPECT_EQ(before.size(), 12U);
  store.prune({month(9), {}, {}, false});
  EXPECT_EQ(step_times(store), before);
}

TEST_F(Prune, ReportsTheSameInADryRun) {
  make_year(folder / "results.db");
  Store store(folder / "results.db");
  store.pin({"release", oid_of(2), "", "t"});
  const std::string before = content_of(folder / "results.db");
  const PruneResult dry = store.prune({month(9), {}, {}, true});
  EXPECT_TRUE(before == content_of(folder / "results.db"));
  const PruneResult done = store.prune({month(9), {}, {}, false});
  EXPECT_EQ(dry.runs, done.runs);
  EXPECT_EQ(dry.steps, done.steps);
  EXPECT_EQ(dry.phases, done.phases);
  EXPECT_EQ(dry.kept_for_pins, done.kept_for_pins);
  EXPECT_EQ(done.kept_for_pins, 1);
}

TEST_F(Prune, KeepsStepsOfPinnedCommits) {
  make_year(folder / "results.db");
  Store store(folder / "results.db");
  store.pin({"release", oid_of(2), "", "t"});
  store.pin({"moved", oid_of(3), "", "t"});
  store.pin({"moved", oid_of(4), "", "t"});
  store.pin({"gone", oid_of(5), "", "t"});
  store.unpin("gone", "t");
  const PruneResult result = store.prune({month(9), {oid_of(7)}, {}, false});
  EXPECT_EQ(with_steps(folder / "results.db"), "2 4 7 10 11 12");
  EXPECT_EQ(result.kept_for_pins, 3);
  EXPECT_EQ(result.runs, 6);
}

TEST_F(Prune, KeepsStepsBesideANewChange) {
  make_year(folder / "results.db");
  Store store(folder / "results.db");
  const PruneResult result = store.prune({month(9), {}, {oid_of(5), oid_of(6)}, false});
  EXPECT_EQ(with_steps(folder / "results.db"), "5 6 10 11 12");
  EXPECT_EQ(result.kept_for_changes, 2);
  EXPECT_EQ(result.kept_for_pins, 0);
}

TEST_F(Prune, SkipsBlocksOfOneStep) {
  const fs::path file = folder / "results.db";
  {
    Store store(file);
    add_night(store, 1, month(1), 1);
  }
  Connection(file, Connection::Access::read_write)
      .execute("DELETE FROM phase; DELETE FROM step WHERE idx > 0; UPDATE step SET warmup = 0");
  const std::int64_t steps = number(file, "SELECT count(*) FROM step");
  ASSERT_GT(steps, 0);
  EXPECT_EQ(Store(file).prune({month(5), {}, {}, false}).steps, 0);
  EXPECT_EQ(number(file, "SELECT count(*) FROM pruned_block"), 0) << "it would take more room";
  EXPECT_EQ(number(file, "SELECT count(*) FROM step"), steps);
}

TEST_F(Prune, ReplacesAnOldSummary) {
  make_year(folder / "results.db");
  Connection(folder / "results.db", Connection::Access::read_write)
      .execute("INSERT INTO pruned_block VALUES (1, 't', 0, 99, 99, 99, 99, 99)");
  Store store(folder / "results.db");
  EXPECT_EQ(store.prune({month(9), {}, {}, false}).runs, 9);
  EXPECT_EQ(number(folder / "results.db", "SELECT count(*) FROM pruned_block WHERE mean < 1"), 9);
}

void add_alert(const fs::path& file, const std::string& workload, int previous, int commit,
               const std::string& confirmed_by = {}) {
  Connection(file, Connection::Access::read_write)
      .execute("INSERT INTO alert VALUES (1, 'alert-1', '" + workload +
               "', '{}', 'step_time', 'f', '', 'step', '" + oid_of(previous) + "', '" +
               oid_of(commit) +
               "', '', 0.2, '', ''); INSERT INTO alert_event VALUES (1, 1, 'confirmed', "
               "'t', '" +
               confirmed_by + "', '', '');");
}

TEST_F(Prune, KeepsStepsBesideAChangePoint) {
  make_year(folder / "results.db");
  Store store(folder / "results.db");
  add_alert(folder / "results.db", "training/mlp_stack/child", 6, 7, "night-1");
  const PruneResult result = store.prune({month(11), {}, {}, false});
  // Three measured commits on either side of the two, and the run that confirmed it.
  EXPECT_EQ(with_steps(folder / "results.db"), "1 3 4 5 6 7 8 9 10 12");
  EXPECT_EQ(result.kept_for_changes, 9);
  EXPECT_EQ(result.runs, 2);
}

TEST_F(Prune, IgnoresAlertsOfOtherWorkloads) {
  make_year(folder / "results.db");
  Store store(folder / "results.db");
  add_alert(folder / "results.db", "training/mlp_stack2", 6, 7);
  EXPECT_EQ(store.prune({month(11), {}, {}, false}).kept_for_changes, 0);
  EXPECT_EQ(with_steps(folder / "results.db"), "12");
}

TEST_F(Prune, KeepsTheOutputOfFailures) {
  Store store(folder / "results.db");
  store.begin_run(example::plan(), example::policy(), "0.1.0", month(1));
  store.add("run-1", example::invocation(0));
  Invocation failed = example::failed_invocation(1);
  failed.process.stderr_text = "why";
  store.add("run-1", failed);
  EXPECT_EQ(store.prune({month(1), {}, {}, false}).runs, 1);
  EXPECT_EQ(store.load("run-1").invocations[1].process.stderr_text, "why");
  EXPECT_EQ(store.load("run-1").invocations[0].process.stderr_text, "");
}

TEST_F(Prune, SurvivesAnotherMerge) {
  make_year(folder / "results.db");
  Store store(folder / "results.db");
  store.export_to(folder / "copy.db");
  store.prune({month(9), {}, {}, false});
  EXPECT_EQ(store.merge(folder / "copy.db").known, 12);
  EXPECT_EQ(with_steps(folder / "results.db"), "10 11 12");
}

}  // namespace
}  // namespace perf
