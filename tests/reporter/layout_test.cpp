#include "reporter/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reporter/render.h"
#include "tests/reporter/sample_reports.h"

namespace perf::reporter {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Layout, counts_the_rest_with_the_largest_of_the_smallest_visible_changes) {
  Report report = samples::unchanged();
  report.comparisons[5].smallest_visible = 0.0312;
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "14 unchanged: no change of 10 % or more; would have seen 3.2 % or more"));
}

TEST(Layout, says_nothing_of_visible_changes_where_none_is_known) {
  Report report = samples::unchanged();
  for (Comparison& comparison : report.comparisons) {
    comparison.smallest_visible.reset();
  }
  EXPECT_FALSE(contains(render_terminal(report, false), "would have seen"));
}

TEST(Layout, reading_order_is_verdict_revisions_changes_counts_targets) {
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

TEST(Layout, warnings_of_unchanged_rows_are_told_with_their_workloads) {
  Report report = samples::unchanged();
  for (Comparison& comparison : report.comparisons) {
    comparison.warnings = {{"noisy", "noisy"}};
  }
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "warning: noisy (inference/generate, inference/generate_nocache, "
                       "inference/prefill and 4 more)"));
}

TEST(Layout, what_cannot_be_compared_is_not_said_to_be_of_the_same_machine) {
  const std::string text = render_terminal(samples::mixed(), false);
  EXPECT_TRUE(contains(text, "base was measured on another processor"));
  EXPECT_FALSE(contains(text, "same machine"));
  EXPECT_TRUE(contains(render_terminal(samples::regressed(), false), "same machine: Intel Xeon"));
}

TEST(Layout, a_usual_report_fits_a_screen) {
  for (const samples::Named& sample : samples::all()) {
    const std::string text = render_terminal(sample.report, false);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40) << sample.name;
  }
}

TEST(Terminal, has_no_escape_byte_without_color_and_some_with) {
  for (const samples::Named& sample : samples::all()) {
    EXPECT_FALSE(contains(render_terminal(sample.report, false), "\x1b")) << sample.name;
    EXPECT_TRUE(contains(render_terminal(sample.report, true), "\x1b[")) << sample.name;
  }
}

TEST(Terminal, color_changes_nothing_but_color) {
  for (const samples::Named& sample : samples::all()) {
    std::string colored = render_terminal(sample.report, true);
    for (std::size_t at = colored.find('\x1b'); at != std::string::npos;
         at = colored.find('\x1b')) {
      colored.erase(at, colored.find('m', at) - at + 1);
    }
    EXPECT_EQ(colored, render_terminal(sample.report, false)) << sample.name;
  }
}

TEST(Judge, terminal_lists_every_case) {
  const std::string text =
      render_judge_terminal({samples::step_time("first", 0.4, 0.2, 0.01, Verdict::regressed),
                             samples::step_time("second", 0.4, 0.0, 0.01, Verdict::unchanged)},
                            false);
  EXPECT_TRUE(contains(text, "1 regressed, 1 unchanged\n"));
  EXPECT_TRUE(contains(text, "first "));
  EXPECT_TRUE(contains(text, "second "));
  EXPECT_EQ(render_judge_terminal({}, false), "no cases\n");
}

}  // namespace
}  // namespace perf::reporter
