#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "reporter/render.h"
#include "tests/reporter/sample_collections.h"
#include "tests/reporter/sample_reports.h"

// Every sample report, in every format, to the letter. A wanted change of an output is approved by
//
//     PERF_COMPARE_APPROVE=1 BUILD/tests/reporter_test --gtest_filter='Golden*'
//
// which rewrites tests/reporter/golden/; read the difference before committing it.
namespace perf {
namespace {

std::string golden_path(const std::string& name) {
  return std::string(PERF_SOURCE_DIR) + "/tests/reporter/golden/" + name;
}

void expect_golden(const std::string& name, const std::string& text) {
  if (std::getenv("PERF_COMPARE_APPROVE") != nullptr) {
    std::ofstream(golden_path(name), std::ios::binary) << text;
    return;
  }
  std::ifstream file(golden_path(name), std::ios::binary);
  ASSERT_TRUE(file) << "no golden " << name << ": see the head of golden_test.cpp";
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, expected) << "in " << name;
}

TEST(Golden, terminal) {
  for (const samples::Named& sample : samples::all()) {
    expect_golden(sample.name + ".txt", render_terminal(sample.report, false));
  }
}

TEST(Golden, terminal_in_color) {
  expect_golden("regressed.ansi", render_terminal(samples::regressed(), true));
}

TEST(Golden, markdown) {
  for (const samples::Named& sample : samples::all()) {
    expect_golden(sample.name + ".md", render_markdown(sample.report));
  }
}

TEST(Golden, json) {
  for (const samples::Named& sample : samples::all()) {
    expect_golden(sample.name + ".json", render_json(sample.report));
  }
}

TEST(Golden, judge) {
  std::vector<Comparison> cases = samples::mixed().comparisons;
  cases.erase(std::remove_if(cases.begin(), cases.end(),
                             [](const Comparison& one) { return one.metric != kStepTime; }),
              cases.end());
  expect_golden("judge.json", render_judge_json(cases));
  expect_golden("judge.txt", render_judge_terminal(cases, false));
}

TEST(Golden, collect) {
  expect_golden("collect.txt", render_collection_terminal(samples::collected_anchored(), false));
  expect_golden("collect_range.txt", render_collection_terminal(samples::collected_range(), false));
  expect_golden("collect_range.md", render_collection_markdown(samples::collected_range()));
  expect_golden("collect_range.json", render_collection_json(samples::collected_range()));
}

}  // namespace
}  // namespace perf
