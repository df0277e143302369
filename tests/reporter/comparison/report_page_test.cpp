#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "reporter/pages.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

TEST(ReportPage, CountsUnchangedRowsWithTheSmallestVisibleChange) {
  Report report = samples::unchanged();
  report.comparisons[5].smallest_visible = 0.0312;
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "14 unchanged: no change of 10 % or more; smallest visible change 3.2 %"));
}

TEST(ReportPage, OmitsUnknownVisibleChanges) {
  Report report = samples::unchanged();
  for (Comparison& comparison : report.comparisons) {
    comparison.smallest_visible.reset();
  }
  EXPECT_FALSE(contains(render_terminal(report, false), "smallest visible"));
}

TEST(ReportPage, NamesTheOutputWithAllRows) {
  const std::string elsewhere =
      "1 metric reported, not judged (in full with --html, --markdown or --json)";
  EXPECT_TRUE(contains(render_terminal(samples::regressed(), false), elsewhere));
}

TEST(ReportPage, OrdersSections) {
  Report report = samples::regressed();
  report.targets = samples::targets().targets;
  const std::string text = render_terminal(report, false);
  std::size_t last = 0;
  for (const char* part : {"Regressed:", "base 3f2a91c4d1", "head 9be01d77aa", "same machine",
                           "workload  ", "12 unchanged", "target  ", "again:"}) {
    const std::size_t at = text.find(part, last);
    ASSERT_NE(at, std::string::npos) << part << " is missing or too early in\n" << text;
    last = at;
  }
}

/// On the terminal, its lines joined.
std::string unwrapped(const Report& report) {
  std::string text = render_terminal(report, false);
  for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at)) {
    text.replace(at, 3, " ");
  }
  return text;
}

TEST(ReportPage, KeepsShortenedNamesDistinct) {
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"inference/batched_generate", "inference/cached_generate"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaa1bbbbbbbbbbbbbbbbbbbbbbbbbb",
         "aaaaaaaaaaaaaaaaaaaaaaaaaa2bbbbbbbbbbbbbbbbbbbbbbbbbb"}}) {
    Report report = samples::frame();
    for (const std::string& name : names) {
      report.comparisons.push_back(
          samples::step_time(name, 0.4121, 0.15, 0.0123, Verdict::regressed));
      report.comparisons.back().metric.name = "a_metric_with_quite_a_long_name_of_its_own";
    }
    samples::summarize(report);
    std::set<std::string> shown;
    std::istringstream lines(render_terminal(report, false));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("  a_metric_with") != std::string::npos) {
        shown.insert(line.substr(0, line.find("  a_metric_with")));
      }
    }
    EXPECT_EQ(shown.size(), 2U) << render_terminal(report, false);
  }
}

TEST(ReportPage, ShowsWarningsOfUnchangedRowsWithTheirWorkloads) {
  Report report = samples::unchanged();
  for (Comparison& comparison : report.comparisons) {
    comparison.warnings = {{WarningKind::noisy, {{"most", 0.1}}}};
  }
  EXPECT_TRUE(contains(unwrapped(report),
                       "warning: noisy: coefficient of variation above 10 % (inference/generate, "
                       "inference/generate_nocache, inference/prefill and 4 more)"));
}

TEST(ReportPage, SharesALineForWarningsThatDifferInFigures) {
  Report report = samples::unchanged();
  report.comparisons[0].warnings = {{WarningKind::session_drift, {{"change", 0.12}}}};
  EXPECT_TRUE(contains(unwrapped(report),
                       "warning: session drift: both sides moved by +12 % from start to end; pairs "
                       "cancel it (inference/generate)"));
  report.comparisons[2].warnings = {{WarningKind::session_drift, {{"change", 0.09}}}};
  EXPECT_TRUE(contains(unwrapped(report),
                       "warning: session drift (inference/generate, inference/generate_nocache)"));
}

TEST(ReportPage, DoesNotRepeatWarningsOfTheRunInRows) {
  Report report = samples::unchanged();
  report.comparisons[0].warnings = {{WarningKind::steal, {{"share", 0.09}}}};
  EXPECT_TRUE(contains(render_terminal(report, false), "took 9 % of the time away (inference"));
  report.warnings = {{WarningKind::steal, {{"share", 0.07}, {"workloads", 5}, {"measured", 7}}}};
  const std::string text = render_terminal(report, false);
  EXPECT_TRUE(
      contains(text, "warning: steal: the hypervisor took 7 % of the time away, in 5 of 7"));
  EXPECT_FALSE(contains(text, "9 %"));
}

TEST(ReportPage, HasTablesOfFamiliesAndTradeOffs) {
  Report report = samples::unchanged();
  EXPECT_FALSE(contains(render_terminal(report, false), "geometric mean"));
  EXPECT_FALSE(contains(render_terminal(report, false), "quality"));
  report.families = {{"training", "step_time", 0.012, Interval{-0.001, 0.025}, 3}};
  report.trade_offs = samples::targets().trade_offs;
  const std::string text = render_terminal(report, false);
  EXPECT_TRUE(contains(text, "training/*  step_time          3  +1.2 % [-0.1, +2.5]"));
  EXPECT_TRUE(contains(text, "output_bytes 7.72 MiB  signal_to_noise 38.5 dB"));
  report.trade_offs[0].quality = {{{"error", "1", Better::lower}, 1.24e-6}};
  EXPECT_TRUE(contains(render_terminal(report, false), "output_bytes 7.72 MiB  error 1.2e-06"));
  report.trade_offs[0].bytes = {{{"a", "B"}, 1}, {{"b", "B"}, 2}, {{"c", "B"}, 3}, {{"d", "B"}, 4}};
  EXPECT_TRUE(contains(render_terminal(report, false), "a 1 B, b 2 B, c 3 B, 1 more  error"));
  report.trade_offs[0].bytes = {{{"activations_bytes", "B"}, 5 << 20},
                                {{"gradients_bytes", "B"}, 11 << 20},
                                {{"optimizer_bytes", "B"}, 23 << 20}};
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "activations_bytes 5.00 MiB, 2 more  error 1.2e-06"));
}

TEST(ReportPage, NamesNoCommonMachineForIncomparableRows) {
  const std::string text = render_terminal(samples::mixed(), false);
  EXPECT_TRUE(contains(text, "base was measured on another processor"));
  EXPECT_FALSE(contains(text, "same machine"));
  EXPECT_TRUE(contains(render_terminal(samples::regressed(), false), "same machine: Intel Xeon"));
}

TEST(ReportPage, FitsAScreen) {
  for (const samples::Named& sample : samples::all()) {
    const std::string text = render_terminal(sample.report, false);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40) << sample.name;
  }
}

TEST(Terminal, HasEscapeBytesOnlyWithColor) {
  for (const samples::Named& sample : samples::all()) {
    EXPECT_FALSE(contains(render_terminal(sample.report, false), "\x1b")) << sample.name;
    EXPECT_TRUE(contains(render_terminal(sample.report, true), "\x1b[")) << sample.name;
  }
}

TEST(Terminal, KeepsTheTextWithColor) {
  for (const samples::Named& sample : samples::all()) {
    std::string colored = render_terminal(sample.report, true);
    for (std::size_t at = colored.find('\x1b'); at != std::string::npos;
         at = colored.find('\x1b')) {
      colored.erase(at, colored.find('m', at) - at + 1);
    }
    EXPECT_EQ(colored, render_terminal(sample.report, false)) << sample.name;
  }
}

TEST(FilesPage, NamesTheFilesAndTheirMachine) {
  Report report = samples::files();
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "\n\n  base old.txt\n  head new.txt\n  machine: AMD EPYC 7B13, 8 cores\n"));
  report.environments.clear();
  EXPECT_TRUE(contains(render_terminal(report, false), "  head new.txt\n\n"));
}

TEST(FilesPage, SaysOnceWhatRowsShare) {
  const std::string text = render_terminal(samples::files(), false);
  EXPECT_TRUE(contains_all(
      text, {"\n  every name begins with example.org/codec/\n", "\n  Write      step_time ",
             "4 rows: no pairs, but 1 session of base, 1 of head"}));
  EXPECT_EQ(text.find("no pairs"), text.rfind("no pairs"));
  Report sessions = samples::files();
  for (Comparison& row : sessions.comparisons) {
    row.notes = {{WarningKind::correlated_sessions, {{"widening", 2}, {"correlation", 0.5}}}};
  }
  EXPECT_TRUE(contains(unwrapped(sessions),
                       " interval widened for correlated sessions (example.org/codec/Decode, "
                       "example.org/codec/Encode, "
                       "example.org/codec/Read and 2 more)"));
}

TEST(FilesPage, OmitsColumnsThatSayNothing) {
  Report report = samples::files();
  const std::string text = render_terminal(report, false);
  EXPECT_TRUE(contains(text, "  benchmark  metric "));
  EXPECT_FALSE(contains(text, "  pairs  "));
  std::erase_if(report.comparisons,
                [](const Comparison& one) { return !(one.metric == kStepTime); });
  EXPECT_FALSE(contains(render_terminal(report, false), "  metric  "));
  report.comparisons.front().pairs = 12;
  EXPECT_TRUE(contains(render_terminal(report, false), "  pairs  "));
}

/// No command shows them again. Of what is open, large changes come first.
TEST(FilesPage, ShowsJudgedRowsUpToALimit) {
  Report report = samples::files();
  report.comparisons.clear();
  for (int i = 0; i < 60; ++i) {
    const bool is_open = i < 50;
    report.comparisons.push_back(
        samples::step_time("b" + std::to_string(100 + i), 0.4, i == 30 ? 0.5 : 0.001 * (i % 9), 0,
                           is_open ? Verdict::inconclusive : Verdict::unchanged));
    report.comparisons.back().pairs = 0;
  }
  samples::summarize(report);
  const std::string text = render_terminal(report, false);
  EXPECT_TRUE(contains(text, "\n  b139 ") && !contains(text, "\n  b140 ")) << text;
  EXPECT_LT(text.find("\n  b130 "), text.find("\n  b100 "));
  EXPECT_LT(text.find("\n  b100 "), text.find("\n  b101 "));
  EXPECT_TRUE(contains_all(text, {"10 more inconclusive", "10 unchanged"}));
}

}  // namespace
}  // namespace perf::reporter
