#include <gtest/gtest.h>

#include <string>

#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

std::string text_of(const Prose& prose) {
  std::string text;
  for (const Span& span : prose) {
    text += span.text;
  }
  return text;
}

std::string remarks_of(const Row& row) {
  std::string text;
  for (const Prose& remark : row.remarks) {
    text += text_of(remark) + "\n";
  }
  return text;
}

Report with(const std::vector<Comparison>& comparisons) {
  Report report = samples::frame();
  report.comparisons = comparisons;
  samples::summarize(report);
  return report;
}

TEST(ChangedRows, OmitUnchangedAndUnjudgedRows) {
  EXPECT_TRUE(changed_comparisons(samples::unchanged()).empty());
  EXPECT_EQ(changed_comparisons(samples::regressed()).size(), 2U);
}

TEST(ChangedRows, AreSortedByVerdictThenChange) {
  const Report report = with({samples::step_time("better", 1, -0.2, 0.01, Verdict::improved),
                              samples::step_time("much_better", 1, -0.5, 0.01, Verdict::improved),
                              samples::step_time("worse", 1, 0.2, 0.01, Verdict::regressed),
                              samples::step_time("open", 1, 0.1, 0.1, Verdict::inconclusive),
                              samples::step_time("much_worse", 1, 0.5, 0.01, Verdict::regressed)});
  std::string order;
  for (const Comparison* comparison : changed_comparisons(report)) {
    order += comparison->workload + " ";
  }
  EXPECT_EQ(order, "much_worse worse much_better better open ");
}

TEST(ChangedRows, ShowTheParametersThatDiffer) {
  std::vector<Comparison> rows(3, samples::step_time("a", 1, 0.2, 0.01, Verdict::regressed));
  rows[2].workload = "b";
  for (Comparison& row : rows) {
    row.params = {{"layers", std::int64_t{4}}, {"width", std::int64_t{64}}};
  }
  rows[1].params["width"] = std::int64_t{128};
  const Report report = with(rows);
  for (const Table& table : {changed_section(report).table, full_table(report)}) {
    EXPECT_EQ(text_of(table.rows[0].cells[0]), "a (width=64)");
    EXPECT_EQ(text_of(table.rows[1].cells[0]), "a (width=128)");
    EXPECT_EQ(text_of(table.rows[2].cells[0]), "b") << "no other row is called so";
    EXPECT_EQ(text_of(changed_section(report).table.rows[0].subject), "a (width=64) step_time");
  }
}

TEST(ChangedRows, ShowAWorkloadWithAFailingCheckOnce) {
  Report report = samples::unchanged();
  for (Comparison& comparison : report.comparisons) {
    if (comparison.workload == "training/lm") {
      comparison.checks = {{"loss_falls", true, false, 0.5, 0.1}};
    }
  }
  const Section section = changed_section(report);
  ASSERT_EQ(section.table.rows.size(), 1U);
  EXPECT_TRUE(contains(remarks_of(section.table.rows[0]),
                       "check loss_falls fails at head, not at base "
                       "(error 0.5, tolerance 0.1)"));
}

TEST(ChangedRows, NameOnlyPhasesThatChangedBeyondChance) {
  Comparison step = samples::step_time("a", 0.4, 0.2, 0.01, Verdict::regressed);
  const Interval any{-0.1, 0.5};
  step.phases = {{"forward", -0.1, 0.10, 0.09, any, true, -0.1},    // against the change
                 {"optimizer", 0.01, 0.1, 0.101, any, true, 0.01},  // too little
                 {"init", std::nullopt, 0, 0.01, std::nullopt, true, 0.11},
                 {"backward", 0.45, 0.20, 0.29, any, true, 0.98},  // carries it
                 {"noise", 0.5, 0.1, 0.15, any, false, 0.5}};      // as large, by chance
  const Section section = changed_section(with({step}));
  EXPECT_EQ(remarks_of(section.table.rows.at(0)),
            "mostly in backward 200 ms -> 290 ms, +45.0 % (98 % of the change); init 0.0 ms -> "
            "10.0 ms (11 %)\n");
}

TEST(ChangedRows, NameNoPhaseIfTheStepMayNotHaveChanged) {
  Comparison step = samples::step_time("a", 0.4, 0.2, 0.01, Verdict::regressed);
  step.phases = {{"forward", 0.1, 0.1, 0.11, Interval{0.05, 0.15}, true}};
  EXPECT_EQ(remarks_of(changed_section(with({step})).table.rows.at(0)), "");
}

TEST(ChangedRows, ShowTheBenefitOfWarmingUpInTheFullTable) {
  Comparison step = samples::step_time("a", 0.4, 0.0, 0.01, Verdict::unchanged);
  step.warmup = WarmupBenefit{0.0412, 0.018, 1.2889};
  EXPECT_EQ(remarks_of(full_table(with({step})).rows.at(0)),
            "first step 41.2 ms, 2.3 times the steady 18.0 ms\n");
  step.warmup = WarmupBenefit{0.02, 0.018, 0.11};
  EXPECT_EQ(remarks_of(full_table(with({step})).rows.at(0)), "");
  step.warmup = WarmupBenefit{0.008, 0.018, -0.556};
  EXPECT_EQ(remarks_of(full_table(with({step})).rows.at(0)),
            "first step 8.00 ms, 0.4 times the steady 18.0 ms\n");
  step.warmup = WarmupBenefit{0.008, 0, std::nullopt};
  EXPECT_EQ(remarks_of(full_table(with({step})).rows.at(0)), "");
}

TEST(ChangedRows, ShowMemoryBesideAChangeOfTime) {
  const Report report = with({samples::step_time("a", 0.4, 0.2, 0.01, Verdict::regressed),
                              samples::peak_rss("a", 1e8, 0.01, 0.01, Verdict::unchanged)});
  EXPECT_EQ(remarks_of(changed_section(report).table.rows.at(0)),
            "peak_rss unchanged at 96.3 MiB, +1.0 %\n");
}

TEST(ChangedRows, ShowSharedRemarksOnce) {
  std::vector<Comparison> comparisons;
  for (const char* workload : {"a", "b", "c"}) {
    comparisons.push_back(samples::step_time(workload, 1, 0.2, 0.01, Verdict::regressed));
    comparisons.back().notes = {samples::note_of("the same everywhere")};
  }
  comparisons[0].notes.push_back(samples::note_of("only here"));
  const Section section = changed_section(with(comparisons));
  ASSERT_EQ(section.lines.size(), 1U);
  EXPECT_EQ(text_of(section.lines[0]), "3 rows: the same everywhere");
  EXPECT_EQ(remarks_of(section.table.rows[0]), "only here\n");
}

TEST(ChangedRows, ShareOneLineForManyWarningsOfOneKind) {
  std::vector<Comparison> comparisons;
  for (const std::string workload : {"a", "b", "c", "d"}) {
    comparisons.push_back(samples::step_time(workload, 1, 0.2, 0.01, Verdict::regressed));
    const double share = 0.5 + 0.01 * static_cast<double>(comparisons.size());
    comparisons.back().warnings = {{WarningKind::machine_pressure, {{"share", share}}}};
  }
  comparisons[0].warnings.push_back({WarningKind::bimodal_pairs, {{"apart", 0.1}}});
  const Report report = with(comparisons);
  const Section section = changed_section(report);
  EXPECT_TRUE(section.lines.empty());
  EXPECT_EQ(remarks_of(section.table.rows[0]),
            "warning: two groups: the changes of the pairs fall into two groups, 10 % apart\n");
  EXPECT_EQ(remarks_of(section.table.rows[1]), "");
  const std::vector<Prose> lines = warning_lines(report);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(text_of(lines[0]), "warning: pressure (a, b, c and 1 more)");
}

TEST(ChangedRows, DoNotRepeatWarningsOfTheReport) {
  Comparison one = samples::step_time("a", 1, 0.2, 0.01, Verdict::regressed);
  one.warnings = {{WarningKind::steal, {{"share", 0.09}}}};
  Report report = with({one});
  report.warnings = {{WarningKind::steal, {{"share", 0.07}, {"workloads", 5}, {"measured", 7}}}};
  EXPECT_EQ(remarks_of(changed_section(report).table.rows[0]), "");
  EXPECT_EQ(warning_lines(report).size(), 1U);
}

TEST(ChangedRows, DoNotTakeAWarningAsTheReasonForNew) {
  Comparison fresh = samples::unmatched("a", Verdict::fresh, "");
  fresh.warnings = {{WarningKind::not_compared, {}, {{"why", "base does not build"}}},
                    {WarningKind::machine_pressure, {{"share", 0.5}}}};
  EXPECT_EQ(remarks_of(changed_section(with({fresh})).table.rows[0]),
            "not compared: base does not build\n"
            "warning: pressure: tasks waited for a processor 50 % of the time\n");
}

TEST(ChangedRows, ShowTheWorstInconclusiveRowsAndCountTheRest) {
  std::vector<Comparison> comparisons;
  for (int i = 0; i < 20; ++i) {
    comparisons.push_back(
        samples::step_time("open_" + std::to_string(i), 1, 0.01 * i, 0.3, Verdict::inconclusive));
    comparisons.back().look = 6;
    comparisons.back().pairs_needed = 100 * (i + 1);
    comparisons.push_back(
        samples::step_time("slow_" + std::to_string(i), 1, 0.5, 0.01, Verdict::regressed));
    comparisons.push_back(
        samples::step_time("fast_" + std::to_string(i), 1, -0.5, 0.01, Verdict::improved));
  }
  comparisons[0].checks = {{"loss_falls", true, false, 0.5, 0.1}};  // open_0: never left out
  const Report report = with(comparisons);
  const Section section = changed_section(report, "in full below");
  ASSERT_EQ(section.table.rows.size(), 49U);
  EXPECT_EQ(text_of(section.table.rows[40].cells[0]), "open_19");
  EXPECT_EQ(text_of(section.table.rows[47].cells[0]), "open_12");
  EXPECT_EQ(text_of(section.table.rows[48].cells[0]), "open_0");
  ASSERT_FALSE(section.lines.empty());
  EXPECT_EQ(text_of(section.lines[0]),
            "11 more inconclusive: about 200 to 1,200 pairs needed (in full below)");
  EXPECT_EQ(changed_comparisons(report).size(), 60U);
}

TEST(ChangedRows, ShowTheOutputOfAFailedBuildOnce) {
  const Report report = samples::build_failed();
  const Section section = changed_section(report);
  for (const Row& row : section.table.rows) {
    EXPECT_EQ(remarks_of(row), "");
  }
  ASSERT_EQ(section.lines.size(), 3U);
  EXPECT_EQ(text_of(section.lines[0]),
            "gemm.cpp:41:7: error: 'epilogue' was not declared in this scope");
  for (const Row& row : full_table(report).rows) {
    EXPECT_EQ(remarks_of(row), "");
  }
}

TEST(ChangedRows, ShareWhatManyOfTheFullTableSay) {
  std::vector<Comparison> rows;
  for (const char* name : {"a", "b", "c", "d"}) {
    rows.push_back(samples::step_time(name, 1, 0.1, 0.1, Verdict::inconclusive));
    rows.back().notes = {samples::note_of("a long note")};
  }
  rows.back().notes.push_back(samples::note_of("its own"));
  const Document page = page_of(with(rows), kInFullBelow);
  const auto all = std::ranges::find(page.sections, Part::everything, &Section::part);
  ASSERT_NE(all, page.sections.end());
  ASSERT_EQ(all->lines.size(), 1U);
  EXPECT_EQ(text_of(all->lines[0]), "4 rows: a long note");
  EXPECT_EQ(remarks_of(all->table.rows[0]), "");
  EXPECT_EQ(remarks_of(all->table.rows[3]), "its own\n");
}

TEST(ChangedRows, ShowTheOutputOfOneOfSeveralFailuresInItsRow) {
  Comparison built = samples::unmatched("a", Verdict::failed, "head failed: exit status 1");
  Comparison crashed = samples::unmatched("b", Verdict::failed, "head failed: killed");
  crashed.notes = {samples::note_of("first line\nsecond line")};
  const Section section = changed_section(with({built, crashed}));
  EXPECT_TRUE(section.lines.empty());
  EXPECT_EQ(remarks_of(section.table.rows[0]), "head failed: exit status 1\n");
  EXPECT_EQ(remarks_of(section.table.rows[1]), "head failed: killed\nfirst line\nsecond line\n");
}

}  // namespace
}  // namespace perf::reporter
