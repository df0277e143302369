#include "schema/store/store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "schema/error.h"
#include "schema/store/connection.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

struct StoreTest : testing::Test {
  example::Folder folder;
  std::filesystem::path file = folder / "results.db";
  Store store{file};

  void begin(const std::string& id = "run-1") {
    store.begin_run(example::plan(id), example::policy(), "0.1.0", "2026-01-01T00:00:00Z");
  }
  /// What plain SQL reads from the file.
  std::string sql(const std::string& query) {
    store::Connection connection(file, store::Connection::Access::read_only);
    return connection.value<std::string>(query).value_or("no row");
  }
};

TEST_F(StoreTest, LoadsInvocationsInStartOrder) {
  begin();
  Measurements expected;
  // Added out of order: an invocation that was tried again may end after a later one.
  for (const int order : {1, 0, 3}) {
    store.add("run-1", example::invocation(order));
  }
  store.add("run-1", example::failed_invocation(2));
  expected.invocations = {example::invocation(0), example::invocation(1),
                          example::failed_invocation(2), example::invocation(3)};
  for (const Invocation& invocation : expected.invocations) {
    expected.measured += invocation.took;
  }
  EXPECT_EQ(example::dump(store.load("run-1")), example::dump(expected));
  EXPECT_EQ(example::dump(Store(file, Store::Access::read_only).load("run-1")),
            example::dump(expected));
}

TEST_F(StoreTest, DistinguishesAbsentFromZero) {
  begin();
  Invocation invocation = example::failed_invocation(0);
  invocation.process.peak_rss = 0;
  invocation.process.steal = 0.0;
  store.add("run-1", invocation);
  const ProcessResult process = store.load("run-1").invocations.at(0).process;
  EXPECT_EQ(process.peak_rss, 0);
  EXPECT_EQ(process.steal, 0.0);
  EXPECT_FALSE(process.minor_faults.has_value());
  EXPECT_FALSE(process.exit_code.has_value());
  EXPECT_FALSE(process.user.has_value());
}

TEST_F(StoreTest, StoresTheKindOfAnInvocation) {
  Plan plan = example::plan();
  plan.purpose = Purpose::selftest;
  plan.workloads[0].base_params = Params{{"layers", std::int64_t{2}}};
  plan.workloads[1].control_of = "training/mlp_stack";
  store.begin_run(plan, example::policy(), "0.1.0");
  Invocation one = example::invocation(0);
  one.layout_seed = 18446744073709551615u;
  one.counted = true;
  one.process.instructions = 123456789012;
  store.add("run-1", one);
  const Invocation back = store.load("run-1").invocations.at(0);
  EXPECT_EQ(back.layout_seed, one.layout_seed);
  EXPECT_TRUE(back.counted);
  EXPECT_EQ(back.process.instructions, one.process.instructions);
  EXPECT_EQ(sql("SELECT purpose FROM runs"), "selftest");
  EXPECT_EQ(sql("SELECT control_of FROM run_workload WHERE idx = 1"), "training/mlp_stack");
  EXPECT_EQ(sql("SELECT w.params FROM run_workload AS p JOIN workload AS w "
                "ON w.key = p.base_workload"),
            R"({"layers":2})");
  EXPECT_EQ(sql("SELECT count(*) FROM invocations"), "1");
  EXPECT_EQ(sql("SELECT count(*) FROM steps"), "0") << "counted, relinked, planted: no times";
}

TEST_F(StoreTest, StoresHostAndShard) {
  Plan plan = example::plan();
  plan.host = std::string(32, 'c');
  plan.digest = std::string(16, 'd');
  plan.shard = Shard{2, 4};
  plan.attempt = 3;
  store.begin_run(plan, example::policy(), "0.1.0");
  const Plan back = store.load_plan("run-1");
  EXPECT_EQ(back.host, plan.host);
  EXPECT_EQ(back.digest, plan.digest);
  EXPECT_EQ(back.shard, plan.shard);
  EXPECT_EQ(back.attempt, 3);
  EXPECT_EQ(store.listed_run("run-1").shard, plan.shard);
  store.begin_run(example::plan("run-2"), example::policy(), "0.1.0");
  EXPECT_FALSE(store.load_plan("run-2").shard) << "the whole plan";
  EXPECT_FALSE(store.listed_run("run-2").shard);
  EXPECT_EQ(sql("SELECT host || plan_digest || shard || shards || attempt FROM runs "
                "WHERE run = 'run-1'"),
            plan.host + plan.digest + "243");

  plan.run_id = "run-3";
  for (const Shard none : {Shard{0, 4}, Shard{5, 4}, Shard{1, 1'000'000}}) {
    plan.shard = none;
    EXPECT_THROW(store.begin_run(plan, {}, "0.1.0"), Error);
  }
  plan.shard.reset();
  plan.host = "build-server-7";
  EXPECT_THROW(store.begin_run(plan, {}, "0.1.0"), Error);
}

TEST_F(StoreTest, StoresTraces) {
  Plan plan = example::plan();
  plan.workloads[0].trace_record = TraceRecord{"9f", "9f", "", true};
  plan.workloads[1].trace_record = TraceRecord{"", "77", "build/bench: .rodata", false};
  store.begin_run(plan, example::policy(), "0.1.0");
  Invocation one = example::invocation(0);
  one.traced = true;
  one.took = 3;
  store.add("run-1", one);
  const Plan back = store.load_plan("run-1");
  ASSERT_TRUE(back.workloads[0].trace_record && back.workloads[1].trace_record);
  EXPECT_TRUE(back.workloads[0].trace_record->same());
  EXPECT_TRUE(back.workloads[0].trace_record->audited);
  EXPECT_EQ(back.workloads[0].trace_record->base_program, "9f");
  EXPECT_EQ(back.workloads[1].trace_record->base_program, "");
  EXPECT_EQ(back.workloads[1].trace_record->head_program, "77");
  EXPECT_EQ(back.workloads[1].trace_record->difference, "build/bench: .rodata");
  EXPECT_FALSE(back.workloads[1].trace_record->audited);
  const Measurements measurements = store.load("run-1");
  EXPECT_TRUE(measurements.invocations.at(0).traced);
  EXPECT_FALSE(measurements.invocations.at(0).is_timed());
  EXPECT_EQ(measurements.measured, 0) << "tracing uses no budget";
  EXPECT_EQ(sql("SELECT traced FROM invocations"), "1");
  for (const char* view : {"steps", "phases", "metrics", "medians"}) {
    EXPECT_EQ(sql("SELECT count(*) FROM " + std::string(view)), "0") << view;
  }
  begin("run-2");
  EXPECT_FALSE(store.load_plan("run-2").workloads[0].trace_record) << "not traced";
}

TEST_F(StoreTest, CountsAuditsOfAllReports) {
  for (const char* id : {"run-1", "run-2"}) {
    Plan plan = example::plan(id);
    plan.workloads[0].trace_record = TraceRecord{"p1", "p1", "", true};
    store.begin_run(plan, example::policy(), "0.1.0");
    Report report = example::report(id);
    report.audits = {{"training/mlp_stack", kStepTime, 0.2, Interval{0.1, 0.3}, 11, id[4] == '2'},
                     {"training/mlp_stack", kPeakRss, 0.0, {}, 11, false}};
    report.comparisons[0].basis = kSameProgram;
    report.comparisons[0].measured_because = "bin/x: .text";
    report.targets[0].measured_at = "2026-01-02T03:04:05Z";
    store.finish_run(report);
  }
  EXPECT_EQ(store.audit_record().audits, 4);
  EXPECT_EQ(store.audit_record().alarmed, 1);
  const Report back = store.load_report("run-2").value();
  EXPECT_TRUE(back.audits.at(0).alarmed);
  EXPECT_EQ(back.comparisons[0].basis, kSameProgram);
  EXPECT_EQ(back.comparisons[0].measured_because, "bin/x: .text");
  EXPECT_EQ(back.targets[0].measured_at, "2026-01-02T03:04:05Z");
}

TEST_F(StoreTest, FindsComparisonsWithACommitOnEitherSide) {
  begin("run-1");
  begin("run-2");
  begin("run-3");
  store.finish_run(example::report("run-1"));
  store.finish_run(example::report("run-3"));
  for (const char oid : {'a', 'b'}) {
    EXPECT_EQ(store.comparisons_at(std::string(40, oid), "f1e2d3", "smoke", 9),
              (std::vector<std::string>{"run-3", "run-1"}));
  }
  EXPECT_TRUE(store.comparisons_at(std::string(40, 'c'), "f1e2d3", "smoke", 9).empty());
  EXPECT_TRUE(store.comparisons_at(std::string(40, 'a'), "another", "smoke", 9).empty());
}

TEST_F(StoreTest, SeparatesRuns) {
  begin("run-1");
  begin("run-2");
  store.add("run-2", example::invocation(0));
  store.add("run-1", example::invocation(5));
  ASSERT_EQ(store.load("run-1").invocations.size(), 1U);
  EXPECT_EQ(store.load("run-1").invocations[0].start_order, 5);
  ASSERT_EQ(store.load("run-2").invocations.size(), 1U);
  EXPECT_EQ(store.load("run-2").invocations[0].start_order, 0);
  // What both share is there once.
  EXPECT_EQ(sql("SELECT count(*) FROM environment"), "1");
  EXPECT_EQ(sql("SELECT count(*) FROM workload"), "2");
  EXPECT_EQ(sql("SELECT count(*) FROM revision"), "2");
  EXPECT_EQ(sql("SELECT count(*) FROM declaration"), "3");
}

TEST_F(StoreTest, SeparatesEnvironmentsByFacts) {
  begin("run-1");
  Plan other = example::plan("run-2");
  other.environment.machine["cpu_model"] = "EPYC";
  store.begin_run(other, {}, "0.1.0");
  EXPECT_EQ(sql("SELECT count(*) FROM environment"), "2");
}

TEST_F(StoreTest, RecordsTheRunForPeople) {
  begin();
  EXPECT_EQ(sql("SELECT printf('%u', seed) FROM run"), "18364758544493064720");
  EXPECT_EQ(sql("SELECT alpha || ' ' || looks || ' ' || threshold || ' ' || budget FROM runs"),
            "0.01 6 0.05 600.0");
  EXPECT_EQ(sql("SELECT base_rule || '/' || head_rule FROM runs"), "main/the working tree");
  EXPECT_EQ(sql("SELECT group_concat(oid) FROM (SELECT oid FROM parent ORDER BY idx)"),
            std::string(40, 'b') + "," + std::string(40, 'c'));
  EXPECT_EQ(sql("SELECT value FROM run_fact WHERE name = 'governor'"), "performance");
  EXPECT_EQ(sql("SELECT base_missing FROM run_workload WHERE idx = 1"), "did not build");
  EXPECT_EQ(
      sql("SELECT missing || warnings FROM run"),
      R"(["gone"][{"about":{"instead":"."},"figures":{"files":3.0},"kind":"uncommitted_files"}])");
}

TEST_F(StoreTest, StartsNowByDefault) {
  store.begin_run(example::plan(), {}, "0.1.0");
  EXPECT_EQ(sql("SELECT abs(julianday(started_at) - julianday('now')) < 1 FROM run"), "1");
}

TEST_F(StoreTest, StoresARootCommitWithoutBase) {
  Plan plan = example::plan();
  plan.base.reset();
  store.begin_run(plan, {}, "0.1.0");
  ASSERT_EQ(store.runs().size(), 1U);
  EXPECT_FALSE(store.runs()[0].base.has_value());
}

TEST_F(StoreTest, StoresTheVerdicts) {
  begin();
  store.add("run-1", example::invocation(0));
  Report report = example::report();
  report.comparisons[1].head->cov = std::numeric_limits<double>::quiet_NaN();
  report.comparisons[1].change = std::numeric_limits<double>::infinity();
  report.interrupted = true;
  store.finish_run(report, true);
  EXPECT_TRUE(store.load("run-1").budget_spent);
  EXPECT_TRUE(store.load("run-1").interrupted);
  EXPECT_EQ(sql("SELECT verdict || ' ' || m || ' ' || looks || ' ' || pairs || ' ' || look || ' ' "
                "|| (abs(look_alpha - alpha / (m * looks)) < 1e-15) || ' ' || base_median || ' ' "
                "|| interval_low FROM verdicts WHERE metric = 'step_time'"),
            "regressed 2 6 11 1 1 0.01 0.18");
  EXPECT_EQ(sql("SELECT verdict || ' ' || (base_median IS NULL) || (change IS NULL) "
                "FROM verdicts WHERE metric = 'peak_rss'"),
            "new 11");
  EXPECT_EQ(sql("SELECT result ->> '$.comparisons[0].phases[0].change' FROM report"), "0.3");
  EXPECT_EQ(sql("SELECT result ->> '$.targets[0].met' FROM report"), "1");
  EXPECT_THROW(store.finish_run(report), Error) << "a report is never replaced";
}

TEST_F(StoreTest, ListsRunsNewestFirst) {
  EXPECT_TRUE(store.runs().empty());
  begin("first");
  begin("second");
  store.finish_run(example::report("first"));
  const std::vector<ListedRun> runs = store.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].id, "second");
  EXPECT_FALSE(runs[0].verdict.has_value());
  EXPECT_EQ(runs[1].id, "first");
  EXPECT_EQ(runs[1].verdict, "regressed");
  EXPECT_EQ(runs[1].started_at, "2026-01-01T00:00:00Z");
  EXPECT_EQ(runs[1].base->oid, std::string(40, 'b'));
  EXPECT_EQ(runs[1].head.name, ".");
  EXPECT_EQ(runs[1].head.subject, "Make it faster; DROP TABLE step");
  EXPECT_EQ(store.runs(1).size(), 1U);
}

TEST_F(StoreTest, RefusesUnknownNames) {
  begin();
  EXPECT_THROW(store.load("no such run"), Error);
  EXPECT_THROW(store.add("no such run", example::invocation(0)), Error);
  EXPECT_THROW(store.finish_run(example::report("no such run")), Error);
  EXPECT_THROW(begin(), Error) << "ids are unique";
  Invocation stranger = example::invocation(0);
  stranger.workload = "not planned";
  EXPECT_THROW(store.add("run-1", stranger), Error);
  stranger = example::invocation(0);
  stranger.oid = std::string(40, 'd');
  EXPECT_THROW(store.add("run-1", stranger), Error);
  store.add("run-1", example::invocation(0));
  EXPECT_THROW(store.add("run-1", example::invocation(0)), Error) << "the same start order";
  EXPECT_EQ(store.load("run-1").invocations.size(), 1U);
}

TEST_F(StoreTest, StoresNothingOfAnInvalidInvocation) {
  begin();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  using Spoil = void (*)(Invocation&, double);
  const std::vector<Spoil> spoilers{
      [](Invocation& i, double x) { i.blocks[1].steps.back().seconds = x; },
      [](Invocation& i, double x) { i.blocks[1].steps.back().phases.back().second = x; },
      [](Invocation& i, double x) { i.blocks[1].metrics.back().value = x; },
      [](Invocation& i, double x) { i.blocks[1].checks.back().error = x; },
      [](Invocation& i, double x) { i.blocks[1].tokens_per_step = x; },
      [](Invocation& i, double x) { i.blocks[1].params["p"] = x; },
      [](Invocation& i, double x) { i.process.wall = x; },
      [](Invocation& i, double x) { i.process.steal = x; }};
  for (std::size_t which = 0; which < spoilers.size(); ++which) {
    for (const double bad : {nan, infinity, -infinity}) {
      Invocation invocation = example::invocation(0);
      spoilers[which](invocation, bad);
      EXPECT_THROW(store.add("run-1", invocation), Error) << which << " " << bad;
    }
  }
  for (const double bad : {0.0, -1.0}) {
    Invocation invocation = example::invocation(0);
    invocation.blocks[1].steps.back().seconds = bad;
    EXPECT_THROW(store.add("run-1", invocation), Error) << bad;
  }
  Invocation unordered = example::invocation(0);
  unordered.blocks[0].steps[3].index = 2;
  EXPECT_THROW(store.add("run-1", unordered), Error);
  for (const char* table : {"invocation", "block", "step", "phase", "output", "declaration"}) {
    EXPECT_EQ(sql(std::string("SELECT count(*) FROM ") + table), "0") << table;
  }
  store.add("run-1", example::invocation(0));  // and the store works on
  EXPECT_TRUE(store.problems().empty());
}

TEST_F(StoreTest, ConstrainsPlainSql) {
  begin();
  store.add("run-1", example::invocation(0));
  store::Connection connection(file, store::Connection::Access::read_write);
  for (const char* value : {"0", "-1", "9e999", "NULL", "9e999 - 9e999", "'fast'"}) {
    EXPECT_THROW(connection.execute(std::string("UPDATE step SET seconds = ") + value), Error)
        << value;
  }
  connection.execute("PRAGMA foreign_keys = ON");
  EXPECT_THROW(connection.execute("DELETE FROM revision"), Error);
}

TEST_F(StoreTest, KeepsTheEndOfLongOutput) {
  begin();
  std::string text;
  while (text.size() < 100'000) {
    text += "\xE2\x82\xAC";  // three bytes each: 512 and 16384 are no multiples of it
  }
  Invocation good = example::invocation(0);
  good.process.stdout_text = text;
  good.process.stderr_text.clear();
  Invocation bad = example::failed_invocation(1);
  bad.process.stderr_text = text + "the last line\n";
  store.add("run-1", good);
  store.add("run-1", bad);
  const Measurements measurements = store.load("run-1");
  EXPECT_EQ(measurements.invocations[0].process.stdout_text, text.substr(0, 510));
  EXPECT_EQ(measurements.invocations[0].process.stderr_text, "");
  const std::string& kept = measurements.invocations[1].process.stderr_text;
  EXPECT_GT(kept.size(), 16'000U);
  EXPECT_LE(kept.size(), 16'384U);
  EXPECT_EQ(kept.substr(kept.size() - 14), "the last line\n");
  EXPECT_EQ(kept.substr(0, 3), "\xE2\x82\xAC");
}

TEST_F(StoreTest, StoresHostileText) {
  Plan plan = example::plan();
  plan.workloads[0].workload.name = "'); DROP TABLE run; --";
  plan.head.subject = "\x1b[31m\xff\xfe";
  plan.workloads[0].workload.command = {"\xff", std::string("a\0b", 3)};
  store.begin_run(plan, {}, "0.1.0");
  Invocation invocation = example::invocation(0);
  invocation.workload = plan.workloads[0].workload.name;
  invocation.failure = std::string(100'000, 'x');
  store.add("run-1", invocation);
  EXPECT_EQ(example::dump(store.load("run-1").invocations.at(0)), example::dump(invocation));
  EXPECT_EQ(store.runs()[0].head.subject, plan.head.subject);
}

TEST_F(StoreTest, WorksInWalMode) {
  begin();
  store::Connection(file, store::Connection::Access::read_write)
      .execute("PRAGMA journal_mode = WAL");
  const auto began = std::chrono::steady_clock::now();
  Store second(file);
  second.add("run-1", example::invocation(0));
  store.add("run-1", example::invocation(1));
  EXPECT_EQ(Store(file).load("run-1").invocations.size(), 2U);
  EXPECT_LT(std::chrono::steady_clock::now() - began,
            std::chrono::duration<double>(store::kLockPatience))
      << "it waits for a lock that the other keeps";
}

TEST_F(StoreTest, MovesAndOpensTwice) {
  begin();
  Store second(file);
  second.add("run-1", example::invocation(0));
  Store third = std::move(second);
  third.add("run-1", example::invocation(1));
  store.add("run-1", example::invocation(2));
  EXPECT_EQ(third.load("run-1").invocations.size(), 3U);
}

}  // namespace
}  // namespace perf
