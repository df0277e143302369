#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

/// The text with its line breaks, and the indents after them, made single blanks.
std::string unwrapped(const std::string& text) {
  std::string flat;
  for (const char c : text) {
    if (const char blank = c == '\n' ? ' ' : c;
        blank != ' ' || flat.empty() || flat.back() != ' ') {
      flat += blank;
    }
  }
  return flat;
}

TEST(RenderCollection, ShowsMeasuredAndFailedWorkloads) {
  const std::string text = render_terminal(samples::collected_night(), false);
  EXPECT_EQ(
      text.rfind("Measured: aaaaaaaaaaaa Compute more waves; 1 workload could not be measured", 0),
      0U)
      << text;
  EXPECT_TRUE(contains_all(
      text, {"12.5 ms", "2.5 %", "100 MiB", "head failed: exit code 1 (no such file: model.bin)"}));
  EXPECT_FALSE(contains(text, "anchor"));
  EXPECT_FALSE(contains(text, "to go on"));
  EXPECT_TRUE(contains(render_terminal(samples::collected_night(), true), "\x1b["));
}

TEST(RenderCollection, ShowsTheChangeAgainstAnAnchorWithoutAVerdict) {
  const std::string text = render_terminal(samples::collected_anchored(), false);
  EXPECT_TRUE(contains_all(text, {"+4.2 %", "-0.2 % [-1.1, +0.8]"}));
  EXPECT_TRUE(contains(text, "training/mlp_stack")) << "names are whole: ";
  EXPECT_TRUE(contains(text, "anchor bbbbbbbbbbbb Release 1.2 (release)"));
  EXPECT_TRUE(contains(text, "base failed: exit code 2"));
  for (const char* verdict : {"regressed", "improved", "unchanged", "inconclusive"}) {
    EXPECT_FALSE(contains(text, verdict));
  }
}

TEST(RenderCollection, ShowsACommonFailureOnce) {
  const std::string text = render_terminal(samples::unbuilt_night(), false);
  EXPECT_EQ(text.rfind("Not measured: aaaaaaaaaaaa Break the build", 0), 0U) << text;
  EXPECT_TRUE(contains(text, "its build failed: exit code 1"));
  EXPECT_FALSE(contains(text, "model.bin"));
  EXPECT_TRUE(contains(render_markdown(samples::unbuilt_night()), "❌"));
}

TEST(RenderCollection, CountsACommitOfARangeOnce) {
  const std::string text = render_terminal(samples::collected_range(), false);
  EXPECT_EQ(
      text.rfind("5 commits: 2 measured, 1 could not be measured, 1 measured before, 1 left", 0),
      0U)
      << text;
  EXPECT_TRUE(
      contains_all(text, {"the budget is spent; measurements are kept, 1 commit left",
                          "to continue: perf-compare collect v1..HEAD --missing", "333333333333"}));
}

TEST(RenderCollection, HasTheTimesOfEachCommit) {
  Collection collection = samples::collected_range();
  std::string text = render_terminal(collection, false);
  EXPECT_TRUE(contains(text, "444444444444  measured         3.25 s  Lose a model"));
  EXPECT_FALSE(contains(text, "step time")) << "it has two workloads: ";
  for (CollectedCommit& commit : collection.commits) {
    commit.workloads.resize(std::min<std::size_t>(commit.workloads.size(), 1));
  }
  text = render_terminal(collection, false);
  EXPECT_TRUE(contains(text, "222222222222  measured           12.5 ms  3.00 s  Compute"));
  EXPECT_TRUE(contains(text, "333333333333  failed                   -       -  Break"));
}

TEST(RenderCollection, KeepsTheCommandThatContinues) {
  Collection collection = samples::collected_range();
  collection.go_on =
      "perf-compare collect 'HEAD~2..HEAD' --missing --size ci -w convert -w waves "
      "--budget 10s --pairs 7 --db /a/store/somewhere/results.db";
  const std::string text = render_terminal(collection, false);
  EXPECT_TRUE(contains(unwrapped(text), "to continue: " + collection.go_on)) << text;
}

TEST(RenderCollection, CountsCommitsOfARangeWithAFailedWorkload) {
  const std::string text = render_terminal(samples::collected_range(), false);
  EXPECT_TRUE(contains(unwrapped(text), "1 left; a workload failed at 1 of them")) << text;
  Collection one = samples::collected_night();
  one.is_range = true;
  EXPECT_EQ(render_terminal(one, false).rfind("1 commit: 1 measured; a workload failed at it", 0),
            0U);
}

TEST(RenderCollection, ShowsCompletedWorkloads) {
  Collection collection = samples::collected_night();
  EXPECT_FALSE(contains(render_terminal(collection, false), "made up"));
  collection.commits[0].workloads[0].invocations = 1;
  const std::string text = render_terminal(collection, false);
  EXPECT_TRUE(contains(text, "completed to 5 processes of every workload"));
  EXPECT_FALSE(contains(text, "2.5 %")) << "one value has no spread: ";
}

TEST(RenderCollection, RendersAnEmptyRecord) {
  EXPECT_TRUE(contains(render_terminal(Collection{}, false), "Nothing to measure"));
  EXPECT_TRUE(contains(render_markdown(Collection{}), "Nothing to measure"));
}

TEST(RenderCollection, WritesEverythingAsJson) {
  const nlohmann::json json =
      nlohmann::json::parse(render_collection_json(samples::collected_range()));
  EXPECT_EQ(json["schema"], "perf-compare/collection/1");
  EXPECT_EQ(json["left"], 1);
  EXPECT_EQ(json["commits"].size(), 5U);
  EXPECT_EQ(json["commits"][0]["status"], "skipped");
  EXPECT_EQ(json["commits"][0]["run"], nullptr);
  EXPECT_EQ(json["commits"][1]["workloads"][0]["step_time"]["median"], 0.0125);
  EXPECT_EQ(json["commits"][3]["workloads"][1]["step_time"], nullptr);
  EXPECT_EQ(json["commits"][3]["workloads"][1]["status"], "failed");
}

TEST(RenderCollection, ShowsHostileTextsAsText) {
  for (const std::string& text : samples::hostile_texts()) {
    const Collection collection = samples::poisoned_collection(text);
    EXPECT_FALSE(samples::is_obeyed(render_terminal(collection, false))) << text;
    EXPECT_FALSE(contains(render_markdown(collection), "<script"));
    const std::string json = render_collection_json(collection);
    EXPECT_NO_THROW(nlohmann::json::parse(json));
    EXPECT_FALSE(contains(json, "\u202E")) << "bidi is escaped";
  }
}

}  // namespace
}  // namespace perf
