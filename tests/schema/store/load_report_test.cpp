// A report comes back as it was stored.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "schema/error.h"
#include "schema/report.h"
#include "schema/store/connection.h"
#include "schema/store/internal.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The example with everything in it that a report may hold.
Report full_report() {
  Report report = example::report();
  report.budget_spent = true;
  report.summary.counts = verdict_counts(report.comparisons);
  report.workload_facts = {{"parser", {{"threads", "2"}}}};
  report.families = {{"training", "step_time", 0.1 + 1e-17, Interval{0.05, 0.2}, 3},
                     {"parser", "peak_rss", kNoNumber, std::nullopt, 1}};
  report.controls = {
      {"parser", kPeakRss, 0.01, Interval{-0.1, 0.1}, 12, true},
      {"parser", {"loss", "1", Better::higher}, std::nullopt, std::nullopt, 0, false}};
  report.trade_offs = {{"parser",
                        {{"n", std::int64_t{3}}},
                        0.25,
                        {{kPeakRss, 1e6}},
                        {{{"loss", "1", Better::lower}, kNoNumber}}}};
  report.warnings = {{WarningKind::steal, {{"share", 0.1}, {"none", kNoNumber}}},
                     {WarningKind::failed, {}, {{"why", "so"}}}};
  report.undecided = Undecided{0.31, std::nullopt, 2};
  report.reproduce = {"perf-compare a b"};
  report.targets[0].target.of_set = {{"layers", std::int64_t{4}}, {"fast", true}};
  report.targets[0].target.over_set = {{"rate", 0.5}};
  Comparison& row = report.comparisons[0];
  row.params = {{"layers", std::int64_t{4}}};
  row.base_params = Params{{"layers", std::string("two")}};
  row.exact = true;
  row.layout = LayoutEffect{"layout effect", 0.01, Interval{-0.1, 0.1}, 5};
  row.warmup = WarmupBenefit{0.2, 0.1, 1.0};
  row.functions = {{"_Z1f", "f()", "lib.so", 0.25, 0.5, 0.1, std::nullopt}};
  row.pair_changes = {0.1, -0.25, kNoNumber};
  row.phases[0].interval = Interval{0.2, 0.4};
  row.phases[0].moved = true;
  row.phases[0].share = 0.5;
  row.checks[0].new_failure = true;
  row.checks[0].base_runs = 4;
  row.warnings = {{WarningKind::noisy, {{"base", 0.2}}}};
  return report;
}

struct LoadReport : testing::Test {
  example::Folder folder;
  std::filesystem::path file = folder / "results.db";

  void store_full() {
    Store store(file);
    store.begin_run(example::plan(), example::policy(), "0.1.0");
    store.finish_run(full_report(), true);
  }
  void execute(const std::string& statements) {
    store::Connection(file, store::Connection::Access::read_write).execute(statements);
  }
  /// Makes a copy and changes it.
  void change(const std::string& statement) {
    std::filesystem::copy_file(file, folder / "copy.db",
                               std::filesystem::copy_options::overwrite_existing);
    store::Connection(folder / "copy.db", store::Connection::Access::read_write)
        .execute("PRAGMA ignore_check_constraints = ON; " + statement);
  }
};

TEST_F(LoadReport, LoadsWhatWasStored) {
  store_full();
  const Store store(file);
  const std::optional<Report> stored = store.load_report("run-1");
  ASSERT_TRUE(stored);
  EXPECT_EQ(store::result_of(*stored), store::result_of(full_report()));
  EXPECT_EQ(stored->id, "run-1");
  const Report& report = *stored;
  EXPECT_EQ(report.tool_version, "0.1.0");
  EXPECT_EQ(report.head.oid, example::plan().head.oid);
  EXPECT_EQ(report.base->subject, "Add the parser");
  EXPECT_EQ(report.environments.at(0).environment.machine, example::plan().environment.machine);
  EXPECT_EQ(report.size, "smoke");
  EXPECT_EQ(report.seed, example::plan().seed);
  EXPECT_EQ(store::text_of(report.policy), store::text_of(example::policy()));
  EXPECT_EQ(report.summary.counts.at(Verdict::regressed), 1);
  EXPECT_EQ(report.summary.counts.at(Verdict::unchanged), 0);
  EXPECT_EQ(store::text_of(store.load_policy("run-1")), store::text_of(example::policy()));
}

TEST_F(LoadReport, ReadsReportsWithoutNewFields) {
  store_full();
  execute("UPDATE report SET result = json_remove(result, '$.undecided')");
  EXPECT_FALSE(Store(file).load_report("run-1").value().undecided);
}

TEST_F(LoadReport, IsEmptyForARunWithoutReport) {
  Store store(file);
  store.begin_run(example::plan(), example::policy(), "0.1.0");
  EXPECT_FALSE(store.load_report("run-1"));
  EXPECT_THROW(store.load_report("run-2"), Error);
}

TEST_F(LoadReport, LoadsPolicies) {
  Policy all;
  all.control = all.count = all.threshold_override = true;
  all.metrics = {"step_time"};
  all.thresholds = {{"a", "b", 0.1, {"c"}}};
  all.min_pairs = 5;
  const Policy policy = store::policy_of(store::text_of(all));
  EXPECT_EQ(store::text_of(policy), store::text_of(all));
  ASSERT_EQ(policy.thresholds.size(), 1U);
  EXPECT_EQ(policy.thresholds[0].workload_glob, "a");
  EXPECT_EQ(policy.min_pairs, 5);
}

/// Files may not hold them, but what we wrote ourselves must come back.
TEST_F(LoadReport, LoadsLargeIntegersAndNulCharacters) {
  Report report = full_report();
  report.comparisons[0].params = {{"n", std::numeric_limits<std::int64_t>::max()},
                                  {"m", std::numeric_limits<std::int64_t>::min()}};
  report.comparisons[0].notes = {
      {WarningKind::program_output, {}, {{"text", std::string("a\0b", 3)}}}};
  Store store(file);
  store.begin_run(example::plan(), example::policy(), "0.1.0");
  store.finish_run(report);
  const Comparison row = store.load_report("run-1").value().comparisons[0];
  EXPECT_EQ(row.params, report.comparisons[0].params);
  EXPECT_EQ(row.notes, report.comparisons[0].notes);
}

TEST_F(LoadReport, RefusesForeignTexts) {
  store_full();
  const std::vector<std::string> changes{
      "UPDATE report SET result = '{}'",
      "UPDATE report SET result = '{not json}'",
      "UPDATE report SET result = json_set(result, '$.comparisons[0]', json('{}'))",
      "UPDATE report SET result = json_set(result, '$.families', 1)",
      "UPDATE report SET result = json_set(result, '$.budget_spent', 0)",
      "UPDATE report SET result = json_set(result, '$.targets', json('[1]'))",
      "UPDATE report SET result = json_set(result, '$.targets', json('[{\"name\":7}]'))",
      "UPDATE report SET result = json_set(result, '$.warning_details', json('[{}]'))",
      "UPDATE report SET result = json_set(result, '$.workload_facts', json('{\"a\":1}'))",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].exact', 1)",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].warning_details', "
      "json('[7]'))",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].pair_changes', "
      "json('[\"x\"]'))",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].layout', json('7'))",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].phases', "
      "json('[{\"name\":\"a\"}]'))",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].checks', json('[[]]'))",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].verdict', 'fine')",
      "UPDATE report SET result = json_set(result, '$.comparisons[0].interval', json('[1]'))",
      "UPDATE report SET result = json_remove(result, '$.warning_details')",
      R"(UPDATE run SET policy = '{"looks":1e9}')",
      "UPDATE run SET policy = json_set(policy, '$.looks', 100000)",
      "UPDATE run SET policy = json_set(policy, '$.alpha', 2)",
      "UPDATE run SET policy = json_set(policy, '$.alpha', 'much')"};
  Store ours(folder / "ours.db");
  for (const std::string& statement : changes) {
    SCOPED_TRACE(statement);
    change(statement);
    EXPECT_THROW(Store(folder / "copy.db").load_report("run-1"), Error);
    EXPECT_THROW(ours.merge(folder / "copy.db"), Error) << "it would be read later";
  }
}

TEST_F(LoadReport, RefusesInvalidNumbersAndNames) {
  store_full();
  Store ours(folder / "ours.db");
  for (const std::string& change_of_result : std::vector<std::string>{
           "'$.comparisons[0].pairs', 9223372036854775807", "'$.comparisons[0].pairs', -1",
           "'$.comparisons[0].look', 4294967297", "'$.comparisons[0].base.invocations', -4",
           "'$.comparisons[0].base.steps', 9223372036854775807", "'$.judged', -1",
           "'$.comparisons[0].change', json('1e999')", "'$.comparisons[0].layout.builds', -1"}) {
    SCOPED_TRACE(change_of_result);
    change("UPDATE report SET result = json_set(result, " + change_of_result + ")");
    EXPECT_THROW(Store(folder / "copy.db").load_report("run-1"), Error);
    EXPECT_THROW(ours.merge(folder / "copy.db"), Error) << "it would be read later";
  }
  for (const std::string& statement : std::vector<std::string>{
           "UPDATE revision SET oid = '$(touch x)' || key", "UPDATE revision SET oid = upper(oid)",
           "UPDATE run SET size = 'ci; id'", "UPDATE run SET size = ''"}) {
    SCOPED_TRACE(statement);
    change(statement);
    EXPECT_THROW(Store(folder / "copy.db").load_report("run-1"), Error);
    EXPECT_THROW(ours.merge(folder / "copy.db"), Error) << "it would be read later";
  }
  change("UPDATE run SET id = '$(id)'");
  EXPECT_THROW(Store(folder / "copy.db").load_plan("$(id)"), Error);
  EXPECT_THROW(Store(folder / "copy.db").listed_run("$(id)"), Error);
}

TEST_F(LoadReport, HidesForeignCommands) {
  store_full();
  for (const char* lines :
       {R"x(["perf-compare a", "perf-compare a $(id)"])x", R"(["perf-compare a b; id"])",
        R"(["perf-compare a b\nid"])", R"(["id"])", R"(["perf-compare prune"])",
        R"(["perf-compare a b --json .bashrc"])"}) {
    SCOPED_TRACE(lines);
    change("UPDATE report SET result = json_set(result, '$.reproduce', json('" +
           std::string(lines) + "'))");
    const Report stored = *Store(folder / "copy.db").load_report("run-1");
    for (const std::string& line : stored.reproduce) {
      EXPECT_EQ(line, "perf-compare a") << "the one that is ours stays";
    }
    ASSERT_EQ(stored.warnings.size(), full_report().warnings.size() + 1);
    EXPECT_EQ(stored.warnings.back().kind, WarningKind::foreign_command);
  }
}

/// Writing a value recurses: of one that is deep enough, an error that shows it ended the process.
TEST_F(LoadReport, RefusesDeepNesting) {
  store_full();
  constexpr std::size_t kLevels = 200'000;
  const std::string nested = std::string(kLevels, '[') + std::string(kLevels, ']');
  const std::pair<const char*, std::string> changes[] = {
      {"report SET result", nested},
      {"report SET result", R"({"comparisons":)" + nested + "}"},
      {"run SET policy", R"({"thresholds":)" + nested + "}"},
      {"run SET warnings", nested},
      {"workload SET command", nested}};
  for (const auto& [column, value] : changes) {
    SCOPED_TRACE(column);
    change("UPDATE " + std::string(column) + " = '" + value + "'");
    EXPECT_THROW(Store(folder / "copy.db").load_report("run-1"), Error);
  }
}

TEST_F(LoadReport, ReadsNestingUpToTheLimit) {
  const std::string list = std::string(64, '[') + std::string(64, ']');
  const auto read = [](const std::string& text) {
    store::read_column(text, [](const formats::JsonValue&) { return 0; });
  };
  EXPECT_NO_THROW(read(list));
  EXPECT_THROW(read("[" + list + "]"), Error);
  EXPECT_THROW(read("[" + list), Error);
}

}  // namespace
}  // namespace perf
