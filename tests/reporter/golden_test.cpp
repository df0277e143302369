#include <gtest/gtest.h>

#include "reporter/render.h"
#include "tests/reporter/samples.h"

// Sample reports in every format, to the letter. A wanted change of an output is approved by
//
//     PERF_COMPARE_APPROVE=1 BUILD/tests/reporter_test --gtest_filter='Golden*'
//
// which rewrites tests/reporter/golden/; read the difference before committing it.
namespace perf {
namespace {

using test::expect_golden;

TEST(Golden, Terminal) {
  for (const samples::Named& sample : samples::all()) {
    expect_golden(sample.name + ".txt", render_terminal(sample.report, false));
  }
}

TEST(Golden, TerminalInColor) {
  expect_golden("regressed.ansi", render_terminal(samples::regressed(), true));
}

TEST(Golden, Markdown) {
  for (const samples::Named& sample : samples::all()) {
    expect_golden(sample.name + ".md", render_markdown(sample.report));
  }
}

TEST(Golden, Json) {
  expect_golden("everything.json", render_json(samples::everything()));
  expect_golden("interrupted.json", render_json(samples::interrupted()));
}

TEST(Golden, OutputsOfCi) {
  expect_golden("mixed.xml", render_junit(samples::mixed()));
  expect_golden("targets.xml", render_junit(samples::targets()));
  expect_golden("regressed.openmetrics", render_openmetrics(samples::regressed()));
  expect_golden("mixed.annotations", render_github_annotations(samples::mixed()));
  expect_golden("mixed.outputs", render_github_outputs(samples::mixed(), 1));
  expect_golden("files.xml", render_junit(samples::files()));
  expect_golden("files.annotations", render_github_annotations(samples::files()));
  expect_golden("trend_moved.xml", render_trend_junit(samples::moved_history()));
  expect_golden("trend_moved.openmetrics", render_trend_openmetrics(samples::moved_history()));
  expect_golden("trend_moved.annotations", render_github_annotations(samples::moved_history()));
}

TEST(Golden, Collect) {
  expect_golden("collect.txt", render_terminal(samples::collected_anchored(), false));
  expect_golden("collect_range.txt", render_terminal(samples::collected_range(), false));
  expect_golden("collect_range.md", render_markdown(samples::collected_range()));
  expect_golden("collect_range.json", render_collection_json(samples::collected_range()));
}

}  // namespace
}  // namespace perf
