#include <gtest/gtest.h>

#include <string>

#include "reporter/comparison/report_sections.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

/// The headline without its dress, sentences separated by " | ".
std::string said(const Report& report) {
  std::string text;
  for (const Prose& sentence : headline(report)) {
    text += text.empty() ? "" : " | ";
    for (const Span& span : sentence) {
      text += span.text;
    }
  }
  return text;
}

Report report_with(const std::vector<Comparison>& comparisons) {
  Report report = samples::frame();
  report.comparisons = comparisons;
  samples::summarize(report);
  return report;
}

Comparison unmeasured(const std::string& workload, Verdict verdict, const std::string& note) {
  Comparison comparison;
  comparison.workload = workload;
  comparison.metric = kStepTime;
  comparison.verdict = verdict;
  comparison.notes = {samples::note_of(note)};
  return comparison;
}

TEST(Headline, NamesTheWorstRegression) {
  const Report report =
      report_with({samples::step_time("a", 0.4, 0.12, 0.01, Verdict::regressed),
                   samples::step_time("b", 0.4, 0.50, 0.01, Verdict::regressed),
                   samples::step_time("c", 0.4, 0.2, 0.15, Verdict::inconclusive)});
  EXPECT_EQ(said(report),
            "Regressed: b is slower: step_time 400 ms -> 600 ms, +50.0 % [+49.0, +50.9], certainly "
            "beyond the threshold of 10 %; 1 more regressed, 1 inconclusive");
  EXPECT_EQ(mood_of(report), Mood::bad);
}

Comparison same_program(const std::string& workload) {
  Comparison comparison = unmeasured(workload, Verdict::unchanged, "");
  comparison.notes.clear();
  comparison.basis = kSameProgram;
  comparison.change = 0;
  return comparison;
}

TEST(Headline, CountsWorkloadsOfTheSameProgram) {
  EXPECT_EQ(said(report_with({same_program("a"), same_program("b")})),
            "Unchanged: every workload runs the same program on both sides");
  EXPECT_EQ(said(report_with({same_program("a")})),
            "Unchanged: every workload runs the same program on both sides");
  const Comparison quiet = samples::step_time("c", 0.4, 0.001, 0.01, Verdict::unchanged);
  const Comparison memory = samples::peak_rss("c", 1e8, 0.001, 0.01, Verdict::unchanged);
  EXPECT_EQ(said(report_with({same_program("a"), same_program("b"), quiet, memory})),
            "Unchanged: none of 2 comparisons moved by 10 % or more; 2 of 3 workloads run the same "
            "program on both sides");
  EXPECT_EQ(said(report_with(
                {same_program("a"), samples::step_time("b", 0.4, 0.50, 0.01, Verdict::regressed)})),
            "Regressed: b is slower: step_time 400 ms -> 600 ms, +50.0 % [+49.0, +50.9], certainly "
            "beyond the threshold of 10 %; 1 of 2 workloads runs the same program on both sides");
  EXPECT_EQ(mood_of(report_with({same_program("a")})), Mood::good);
}

TEST(Headline, SaysProbablyIfTheIntervalReachesBelowTheThreshold) {
  const Report report = report_with({samples::peak_rss("a", 1e8, 0.11, 0.02, Verdict::regressed)});
  EXPECT_EQ(said(report),
            "Regressed: a needs more memory: peak_rss 95 MiB -> 106 MiB, +11.0 % [+9.0, "
            "+12.8], probably beyond the threshold of 10 %");
}

TEST(Headline, CallsAFallingRateSlower) {
  Comparison rate = samples::step_time("a", 1000, -0.3, 0.01, Verdict::regressed);
  rate.metric = {"tokens_per_second", "1/s", Better::higher};
  Comparison mild = samples::step_time("b", 0.4, 0.15, 0.01, Verdict::regressed);
  EXPECT_EQ(said(report_with({mild, rate})),
            "Regressed: a is slower: tokens_per_second 1.00 k/s -> 0.70 k/s, -30.0 % [-31.0, "
            "-29.1], certainly beyond the threshold of 10 % (-9.1 %); 1 more regressed");
}

TEST(Headline, RanksAChangeFromZeroWorst) {
  Comparison grown = samples::peak_rss("z", 0, 0, 0, Verdict::regressed);
  grown.change.reset();
  grown.interval.reset();
  grown.head->median = 1048576;
  grown.certain = true;
  EXPECT_EQ(said(report_with({samples::step_time("a", 0.4, 0.9, 0.01, Verdict::regressed), grown})),
            "Regressed: z needs more memory: peak_rss 0.00 MiB -> 1.00 MiB, certainly beyond the "
            "threshold of 10 %; 1 more regressed");
}

TEST(Headline, NamesTheBestImprovement) {
  const Report report = report_with({samples::step_time("a", 0.4, -0.12, 0.01, Verdict::improved),
                                     samples::step_time("b", 0.4, -0.50, 0.01, Verdict::improved)});
  EXPECT_EQ(said(report).substr(0, 28), "Improved: b is faster: step_");
  EXPECT_EQ(mood_of(report), Mood::good);
}

TEST(Headline, CountsUnchangedComparisonsWithTheirThreshold) {
  EXPECT_EQ(said(samples::unchanged()), "Unchanged: none of 14 comparisons moved by 10 % or more");
  Report report = samples::unchanged();
  report.comparisons[3].threshold = 0.03;
  EXPECT_EQ(said(report), "Unchanged: none of 14 comparisons moved by 3 % to 10 % or more");
}

TEST(Headline, NamesASingleUnchangedComparison) {
  EXPECT_EQ(said(report_with({samples::step_time("a", 0.4, 0.001, 0.004, Verdict::unchanged)})),
            "Unchanged: a step_time 400.0 ms -> 400.4 ms, +0.10 % [-0.30, +0.46], less than 10 %");
}

TEST(Headline, ShowsThePairsNeededIfInconclusive) {
  Comparison undecided = samples::step_time("a", 0.4, 0.08, 0.09, Verdict::inconclusive);
  undecided.pairs = 51;
  undecided.look = 5;
  undecided.pairs_needed = 59.3;
  const Report report = report_with({undecided});
  EXPECT_EQ(said(report),
            "Inconclusive: a step_time 400 ms -> 432 ms, +8.0 % [-1.0, +16.1] after 51 pairs; "
            "about 60 pairs are needed");
  EXPECT_EQ(mood_of(report), Mood::unsettled);
}

TEST(Headline, ShowsACommonReasonOnce) {
  EXPECT_EQ(said(report_with({unmeasured("a", Verdict::failed, "head does not build"),
                              unmeasured("b", Verdict::failed, "head does not build")})),
            "Failed: head does not build (2 comparisons)");
  EXPECT_EQ(said(report_with({unmeasured("a", Verdict::failed, "killed by signal 11"),
                              unmeasured("b", Verdict::failed, "timed out after 5 min")})),
            "Failed: a: killed by signal 11; 1 more failed");
}

TEST(Headline, TakesTheReasonFromWarnings) {
  Comparison failed = unmeasured("a", Verdict::failed, "");
  failed.notes.clear();
  EXPECT_EQ(said(report_with({failed})), "Failed: a could not be measured");
  failed.warnings = {{WarningKind::failed, {}, {{"why", "killed by signal 11"}}}};
  EXPECT_EQ(said(report_with({failed})), "Failed: a: killed by signal 11");
}

TEST(Headline, ShowsTheFirstLookIfPairsAreTooFew) {
  Comparison early = samples::step_time("a", 0.4, 0.08, 0.09, Verdict::inconclusive);
  early.interval.reset();
  early.pairs = 4;
  early.look = 0;
  early.pairs_needed = 11;
  EXPECT_EQ(said(report_with({early})),
            "Inconclusive: a step_time 400 ms -> 432 ms, +8.0 % after 4 pairs: too few for a "
            "verdict; the first look is at 11");
  early.pairs = 0;
  early.base.reset();
  early.change.reset();
  EXPECT_EQ(said(report_with({early})),
            "Inconclusive: a step_time without pairs; the first look is at 11");
}

/// Three rows that a look left open, after 16, 24 and 24 pairs.
Report undecided() {
  Report report = report_with({samples::step_time("a", 0.4, 0.02, 0.15, Verdict::inconclusive),
                               samples::step_time("b", 0.4, 0.12, 0.18, Verdict::inconclusive),
                               samples::step_time("c", 0.4, -0.05, 0.16, Verdict::inconclusive)});
  for (Comparison& row : report.comparisons) {
    row.pairs = row.workload == "a" ? 16 : 24;
    row.look = 2;
  }
  report.undecided = Undecided{0.312, 1900.0, 2};
  return report;
}

/// The same before any look.
Report unseen() {
  Report report = undecided();
  for (Comparison& row : report.comparisons) {
    row.pairs = row.workload == "a" ? 3 : 2;
    row.look = 0;
    row.interval.reset();
    row.pairs_needed = 15;
  }
  report.policy.budget = 10;
  report.budget_spent = true;
  report.undecided = Undecided{std::nullopt, 184.0, 3};
  return report;
}

TEST(Headline, NamesNoRowIfNothingIsDecided) {
  EXPECT_EQ(
      said(undecided()),
      "Nothing decided: too noisy for a threshold of 10 %, after 16 to 24 pairs; no change "
      "above 32 % in 3 comparisons; try --budget 38m, which would decide about 2, or a quieter "
      "machine: perf-compare doctor");
  EXPECT_EQ(mood_of(undecided()), Mood::unsettled);
  Report report = undecided();
  report.undecided->budget.reset();
  report.comparisons.push_back(samples::unmatched("d", Verdict::fresh, ""));
  report.comparisons[0].look = 0;
  EXPECT_EQ(
      said(report),
      "Nothing decided: too noisy for a threshold of 10 %, after 16 to 24 pairs; no change "
      "above 32 % in 2 comparisons with an interval; 1 new; try a quieter machine: perf-compare "
      "doctor");
}

TEST(Headline, ReportsABudgetThatEndedTooEarly) {
  EXPECT_EQ(said(unseen()),
            "Nothing decided: the budget of 10.0 s ended after 2 to 3 of the 15 pairs needed "
            "for a first look; try --budget 4m or fewer workloads (-w NAME)");
  Report later = undecided();
  later.budget_spent = true;
  EXPECT_EQ(said(later).substr(0, 65),
            "Nothing decided: the budget of 10 min ended after 16 to 24 pairs;");
}

TEST(Headline, ReportsAMachineThatIsTooNoisy) {
  const std::string pressed = "Nothing decided: too noisy on a machine under pressure, after 16 ";
  Report report = undecided();
  report.warnings = {{WarningKind::machine_pressure, {{"share", 0.5}}}};
  EXPECT_EQ(said(report).substr(0, pressed.size()), pressed);
  report.warnings.clear();
  report.comparisons[0].warnings = {{WarningKind::steal, {{"share", 0.09}}}};
  EXPECT_EQ(said(report).substr(0, 41), "Nothing decided: too noisy for a threshol")
      << "one of three";
  report.comparisons[1].warnings = report.comparisons[2].warnings = report.comparisons[0].warnings;
  EXPECT_EQ(said(report).substr(0, pressed.size()), pressed);
}

TEST(Headline, ReportsNothingDecidedForOneRow) {
  Report report = undecided();
  report.comparisons.resize(1);
  samples::summarize(report);
  report.undecided = Undecided{0.17, std::nullopt, 0};
  EXPECT_EQ(
      said(report),
      "Nothing decided: too noisy for a threshold of 10 %, after 16 pairs; no change above 17 "
      "% in 1 comparison; try a quieter machine: perf-compare doctor");
}

TEST(Headline, HasNoAdviceAfterAnInterruption) {
  Report report = unseen();
  report.interrupted = true;
  EXPECT_EQ(said(report),
            "Nothing decided: interrupted after 2 to 3 of the 15 pairs needed for a first look");
  report = undecided();
  report.interrupted = true;
  EXPECT_EQ(said(report),
            "Nothing decided: interrupted after 16 to 24 pairs; no change above 32 % in 3 "
            "comparisons");
}

TEST(Headline, ReportsThatNothingRan) {
  EXPECT_EQ(said(samples::empty()), "Failed: nothing ran");
  EXPECT_EQ(said(report_with({})), "Nothing was compared: neither side has a benchmark");
  Report files = samples::empty();
  files.head.kind = SideKind::files;
  EXPECT_EQ(said(files), "Nothing was compared: neither side has a benchmark");
}

TEST(Headline, ReportsNewMissingAndIncomparable) {
  EXPECT_EQ(said(samples::root_commit()),
            "New: nothing to compare with, 7 workloads measured for the first time");
  EXPECT_EQ(
      said(report_with({unmeasured("a", Verdict::fresh, ""), unmeasured("b", Verdict::fresh, "")})),
      "New: 2 workloads measured at head only");
  EXPECT_EQ(said(report_with({unmeasured("a", Verdict::missing, "")})),
            "Nothing was compared: 1 workload only at base: a");
  EXPECT_EQ(
      said(report_with(
          {unmeasured("a", Verdict::missing, ""), unmeasured("b", Verdict::fresh, "")})),
      "Nothing was compared: no benchmark has the same name on both sides; 1 missing (a), 1 new");
  EXPECT_EQ(said(report_with({unmeasured("a", Verdict::incomparable, "another processor")})),
            "Nothing was compared: 1 row is incomparable: a: another processor");
  EXPECT_EQ(said(report_with({unmeasured("a", Verdict::incomparable, "another processor"),
                              unmeasured("b", Verdict::incomparable, "another processor"),
                              unmeasured("c", Verdict::missing, "")})),
            "Nothing was compared: 2 rows are incomparable: another processor; 1 missing (c)");
  const Comparison unchanged = samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged);
  Comparison latency = unmeasured("a", Verdict::missing, "");
  latency.metric.name = "latency";
  EXPECT_EQ(said(report_with({unchanged, latency})),
            "Missing: 1 metric only at base: latency of a");
  EXPECT_EQ(said(report_with({unchanged, latency, unmeasured("b", Verdict::missing, "")})),
            "Missing: 1 workload and 1 metric only at base: b, latency of a");
  EXPECT_TRUE(
      said(report_with({samples::step_time("a", 0.4, 0.2, 0.01, Verdict::regressed), latency}))
          .ends_with("; 1 missing (latency of a)"));
  Report unjudged = report_with({samples::step_time("a", 0.4, 0.2, 0.01, Verdict::unchanged)});
  EXPECT_EQ(mood_of(unjudged), Mood::good);
  unjudged.comparisons.front().judged = false;
  EXPECT_EQ(said(unjudged),
            "Nothing was compared: no metric here is judged; choose one with --metric NAME");
  EXPECT_EQ(mood_of(unjudged), Mood::bad);
  Comparison skipped = unmeasured("b", Verdict::missing, "");
  skipped.judged = false;
  skipped.warnings = {{WarningKind::benchmark_skipped, {}, {{"on", "both sides"}, {"why", "GPU"}}}};
  EXPECT_EQ(said(report_with({skipped})), "Nothing was compared: 1 workload skipped: b");
}

TEST(Headline, NamesALargeChangeWithoutPairs) {
  Comparison small = samples::step_time("a", 0.4, 0.08, 0, Verdict::inconclusive);
  small.pairs = small.look = 0;
  Comparison large = samples::step_time("b", 0.4, 3, 0, Verdict::inconclusive);
  large.pairs = large.look = 0;
  EXPECT_EQ(said(report_with({small})), "Inconclusive: 1 comparison");
  EXPECT_EQ(said(report_with({small, large})),
            "Inconclusive: 2 comparisons; undecided, but b is 4.0 times slower");
  large.metric = {"task-clock", "s", Better::lower};
  large.change = 0.27;
  EXPECT_EQ(said(report_with({samples::step_time("c", 0.4, -0.5, 0.01, Verdict::improved), large})),
            "Inconclusive: 1 comparison; 1 improved; undecided, but b task-clock is 27 % slower");
}

TEST(Headline, PutsANewWrongOutputFirst) {
  Report report = samples::unchanged();
  for (Comparison& comparison : report.comparisons) {
    if (comparison.workload == "training/lm") {
      comparison.checks = {{"loss_falls", true, false, 0.5, 0.1}};
    }
  }
  EXPECT_EQ(said(report),
            "Wrong output: check loss_falls of training/lm fails at head, not at base | Unchanged: "
            "none of 14 comparisons moved by 10 % or more");
  EXPECT_EQ(mood_of(report), Mood::bad);
}

TEST(Headline, OmitsAnOldWrongOutput) {
  Report report = samples::unchanged();
  report.comparisons[0].checks = {{"loss_falls", false, false, 0.5, 0.1}};
  EXPECT_EQ(said(report).rfind("Unchanged", 0), 0U);
  EXPECT_EQ(mood_of(report), Mood::good);
}

TEST(Headline, IsBadForAMissedTargetWithoutChanges) {
  EXPECT_EQ(said(samples::targets()),
            "Target missed: a step below 400 ms is 412 ms, wanted at most 400 ms | Unchanged: none "
            "of 14 comparisons moved by 10 % or more");
  EXPECT_EQ(mood_of(samples::targets()), Mood::bad);
}

TEST(Headline, ReportsThatItStoppedEarly) {
  Report report = samples::regressed();
  report.comparisons[0].verdict = Verdict::inconclusive;
  report.budget_spent = true;
  EXPECT_EQ(headline(report).size(), 2U);
  EXPECT_TRUE(
      contains(said(report), " | The budget of 10 min ended with 1 of 14 comparisons undecided"));
  report.interrupted = true;
  EXPECT_TRUE(contains(said(report), " | Interrupted after 3 min 36 s of measuring with 1 of 14"));
}

TEST(Headline, CountsVerdictsThatShareTheErrorRate) {
  Report report = report_with({samples::step_time("a", 0.4, 0.08, 0.09, Verdict::inconclusive),
                               samples::step_time("b", 0.4, 0.01, 0.01, Verdict::unchanged),
                               samples::unmatched("c", Verdict::fresh, "")});
  report.judged = 2;
  report.budget_spent = true;
  EXPECT_TRUE(contains(said(report), "with 1 of 2 comparisons undecided"));
  report.judged = 0;  // a report from elsewhere
  EXPECT_TRUE(contains(said(report), "with 1 of 3 comparisons undecided"));
}

TEST(Headline, AcceptsASummaryWithoutComparisons) {
  for (const Verdict verdict : kVerdicts) {
    Report report = samples::frame();
    report.summary.verdict = verdict;
    EXPECT_FALSE(said(report).empty());
    report.undecided = Undecided{};
    EXPECT_FALSE(said(report).empty());
  }
}

}  // namespace
}  // namespace perf::reporter
