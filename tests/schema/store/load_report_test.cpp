// A report comes back as it was stored, from this version and from the one before.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "schema/error.h"
#include "schema/store/connection.h"
#include "schema/store/json_text.h"
#include "schema/store/migration.h"
#include "schema/store/report_columns.h"
#include "schema/store/report_details.h"
#include "schema/store/store.h"
#include "schema/store/stored_json.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The example with everything in it that a report may hold.
Report full_report() {
  Report report = example::report();
  report.budget_spent = true;
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
  report.warnings = {{"steal", "stolen", {{"share", 0.1}, {"none", kNoNumber}}}, {"plan", "so"}};
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
  row.warnings = {{"noisy", "noisy", {{"base", 0.2}}}};
  return report;
}

/// Everything that is stored, as text.
std::string dump(const Report& report) {
  std::string text = report.id + report.generated_at + report.config_source + " " +
                     std::to_string(report.judged) + " " + std::to_string(report.measured) +
                     store::details_of(report) + store::to_json(report.targets) +
                     store::to_json(report.workload_facts) + store::to_json(report.reproduce) +
                     std::string(to_string(report.summary.verdict)) + "\n";
  for (const Warning& warning : report.warnings) {
    text += warning.text + "\n";
  }
  for (const Comparison& row : report.comparisons) {
    text += row.workload + store::to_json(row.params) + row.metric.name + row.metric.unit +
            std::string(row.verdict ? to_string(*row.verdict) : "-") + store::details_of(row) +
            store::to_json(row.phases) + store::to_json(row.checks) + store::to_json(row.notes);
    for (const std::optional<SideStats>& side : {row.base, row.head}) {
      text += side ? " " + std::to_string(side->median) + " " + std::to_string(side->invocations)
                   : " -";
    }
    text += " " + std::to_string(row.change.value_or(-9)) + " " +
            std::to_string(row.interval ? row.interval->high : -9) + "\n";
  }
  return text;
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

TEST_F(LoadReport, GivesBackWhatWasStored) {
  store_full();
  const Store store(file);
  const std::optional<Report> stored = store.load_report("run-1");
  ASSERT_TRUE(stored);
  EXPECT_EQ(dump(*stored), dump(full_report()));
  const Report& report = *stored;
  EXPECT_EQ(report.tool_version, "0.1.0");
  EXPECT_EQ(report.head.oid, example::plan().head.oid);
  EXPECT_EQ(report.base->subject, "Add the parser");
  EXPECT_EQ(report.environment.machine, example::plan().environment.machine);
  EXPECT_EQ(report.size, "smoke");
  EXPECT_EQ(report.seed, example::plan().seed);
  EXPECT_EQ(store::to_json(report.policy), store::to_json(example::policy()));
  EXPECT_EQ(report.summary.counts.at(Verdict::regressed), 1);
  EXPECT_EQ(report.summary.counts.at(Verdict::unchanged), 0);
  EXPECT_EQ(store::to_json(store.load_policy("run-1")), store::to_json(example::policy()));
}

TEST_F(LoadReport, IsNothingForARunThatHasNone) {
  Store store(file);
  store.begin_run(example::plan(), example::policy(), "0.1.0");
  EXPECT_FALSE(store.load_report("run-1"));
  EXPECT_THROW(store.load_report("run-2"), Error);
}

TEST_F(LoadReport, ReadsPoliciesOfEarlierVersions) {
  const Policy policy = store::policy_from_json(
      R"({"threshold":0.05,"alpha":0.02,"looks":4,"thresholds":[{"workload_glob":"a*","metric":"",)"
      R"("threshold":0.3}]})");
  EXPECT_EQ(policy.threshold, 0.05);
  EXPECT_EQ(policy.looks, 4);
  EXPECT_EQ(policy.max_steps, Policy{}.max_steps);
  ASSERT_EQ(policy.thresholds.size(), 1U);
  EXPECT_EQ(policy.thresholds[0].workload_glob, "a*");
  Policy all;
  all.control = all.count = all.threshold_override = true;
  all.metrics = {"step_time"};
  all.thresholds = {{"a", "b", 0.1, {"c"}}};
  all.min_pairs = 5;
  EXPECT_EQ(store::to_json(store::policy_from_json(store::to_json(all))), store::to_json(all));
}

TEST_F(LoadReport, RefusesWhatWeDoNotWrite) {
  store_full();
  const std::vector<std::string> changes{
      R"(UPDATE report SET details = '{}')",
      R"(UPDATE comparison SET details = '{}')",
      R"(UPDATE report SET details = '{"families":1}')",
      R"(UPDATE report SET details = '{"families":[],"controls":[],"trade_offs":[],"budget_spent":0,"warnings":[]}')",
      R"(UPDATE report SET targets = '[1]')",
      R"(UPDATE report SET targets = '[{"name":7}]')",
      R"(UPDATE report SET warnings = '[{}]')",
      R"(UPDATE report SET workload_facts = '{"a":1}')",
      R"(UPDATE report SET workload_facts = '{not json}')",
      R"(UPDATE comparison SET details = '{"exact":1}')",
      R"(UPDATE comparison SET details = json_set(details, '$.warnings', json('[]')) WHERE idx = 0)",
      R"(UPDATE comparison SET details = json_set(details, '$.pair_changes', json('["x"]')))",
      R"(UPDATE comparison SET details = json_set(details, '$.layout', json('7')) WHERE idx = 0)",
      R"(UPDATE comparison SET phases = '[{"name":"a"}]')",
      R"(UPDATE comparison SET checks = '[[]]')",
      R"(UPDATE run SET policy = '{"looks":1e9}')",
      R"(UPDATE run SET policy = '{"looks":100000}')",
      R"(UPDATE run SET policy = '{"alpha":"much"}')",
      R"(UPDATE report SET warnings = '[]')",
      R"(UPDATE comparison SET warnings = '["one","two","three"]')"};
  Store ours(folder / "ours.db");
  for (const std::string& statement : changes) {
    SCOPED_TRACE(statement);
    change(statement);
    EXPECT_THROW(Store(folder / "copy.db").load_report("run-1"), Error);
    EXPECT_THROW(ours.merge(folder / "copy.db"), Error) << "it would be read later";
  }
}

TEST_F(LoadReport, RefusesNumbersAndNamesThatAreNone) {
  store_full();
  Store ours(folder / "ours.db");
  for (
      const std::string& statement : std::vector<std::string>{
          "UPDATE comparison SET pairs = 9223372036854775807", "UPDATE comparison SET pairs = -1",
          "UPDATE comparison SET look = 4294967297", "UPDATE comparison_side SET invocations = -4",
          "UPDATE comparison_side SET steps = 9223372036854775807",
          "UPDATE comparison SET change = 9e999 WHERE idx = 0", "UPDATE report SET judged = -1",
          R"(UPDATE comparison SET details = json_set(details, '$.layout.builds', -1) WHERE idx = 0)",
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

TEST_F(LoadReport, ShowsNoCommandThatIsNotOurs) {
  store_full();
  for (const char* lines :
       {R"x(["perf-compare a", "perf-compare a $(id)"])x", R"(["perf-compare a b; id"])",
        R"(["perf-compare a b\nid"])", R"(["id"])", R"(["perf-compare prune"])",
        R"(["perf-compare a b --json .bashrc"])"}) {
    SCOPED_TRACE(lines);
    change("UPDATE report SET reproduce = '" + std::string(lines) + "'");
    const Report stored = *Store(folder / "copy.db").load_report("run-1");
    for (const std::string& line : stored.reproduce) {
      EXPECT_EQ(line, "perf-compare a") << "the one that is ours stays";
    }
    ASSERT_EQ(stored.warnings.size(), full_report().warnings.size() + 1);
    EXPECT_EQ(stored.warnings.back().kind, "foreign_command");
  }
}

/// Writing a value recurses: of one that is deep enough, an error that shows it ended the process.
TEST_F(LoadReport, RefusesDeepNesting) {
  store_full();
  constexpr std::size_t kLevels = 200'000;
  const std::string nested = std::string(kLevels, '[') + std::string(kLevels, ']');
  const std::pair<const char*, std::string> changes[] = {
      {"comparison SET phases", nested},
      {"comparison SET checks", nested},
      {"comparison SET details", R"({"pair_changes":)" + nested + "}"},
      {"comparison SET details", R"({"layout":)" + nested + "}"},
      {"comparison SET details", R"({"base_params":)" + nested + "}"},
      {"comparison SET params", R"({"n":)" + nested + "}"},
      {"report SET details", R"({"families":)" + nested + "}"},
      {"report SET details", R"({"trade_offs":)" + nested + "}"},
      {"report SET targets", nested},
      {"report SET targets",
       R"([{"name":"n","metric":"m","of":"w","over":"w","of_set":)" + nested + "}]"},
      {"report SET workload_facts", R"({"parser":)" + nested + "}"},
      {"run SET policy", R"({"thresholds":)" + nested + "}"},
      {"run SET warnings", nested},
      {"workload SET command", nested}};
  for (const auto& [column, value] : changes) {
    SCOPED_TRACE(column);
    change("UPDATE " + std::string(column) + " = '" + value + "'");
    EXPECT_THROW(Store(folder / "copy.db").load_report("run-1"), Error);
  }
}

TEST_F(LoadReport, ReadsWhatIsNestedAsDeepAsThatAtMost) {
  const std::string list = std::string(64, '[') + std::string(64, ']');
  EXPECT_NO_THROW(store::parsed_as(list, &store::Json::is_array));
  EXPECT_THROW(store::parsed_as("[" + list + "]", &store::Json::is_array), Error);
  EXPECT_THROW(store::parsed_as("[" + list, &store::Json::is_array), Error);
}

}  // namespace
}  // namespace perf
