#include <gtest/gtest.h>

#include "reporter/svg/pictures.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::step_time;

Comparison varied(const std::string& workload, std::int64_t from, std::int64_t to, double change) {
  Comparison one = step_time(workload, 0.1, change, 0.01, Verdict::regressed);
  one.base_params = Params{{"layers", from}, {"width", std::int64_t{64}}};
  one.params = {{"layers", to}, {"width", std::int64_t{64}}};
  return one;
}

std::vector<std::string> names_of(const std::vector<RatioLine>& lines) {
  std::vector<std::string> names;
  for (const RatioLine& line : lines) {
    names.push_back(line.name);
  }
  return names;
}

TEST(RatioLines, StartAtTheFirstValueOfAVariedParameter) {
  const auto lines = ratio_lines(
      {varied("training/mlp/layers-4", 1, 4, 2.9), varied("training/mlp/layers-2", 1, 2, 0.95)});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].name, "training/mlp");
  EXPECT_EQ(lines[0].parameter, "layers");
  ASSERT_EQ(lines[0].points.size(), 3u);
  EXPECT_EQ(lines[0].points[0].size, 1);
  EXPECT_EQ(lines[0].points[0].ratio, 1);
  EXPECT_EQ(lines[0].points[1].size, 2);
  EXPECT_DOUBLE_EQ(lines[0].points[2].ratio, 3.9);
  ASSERT_TRUE(lines[0].points[2].interval);
  EXPECT_DOUBLE_EQ(lines[0].points[2].interval->low, 3.89);
}

TEST(RatioLines, SortNumbersInNamesNumerically) {
  const auto lines = ratio_lines({step_time("BM_sort/1024", 1, 0.1, 0.01, Verdict::unchanged),
                                  step_time("BM_sort/64", 1, 0.2, 0.01, Verdict::regressed),
                                  step_time("BM_sort/4096", 1, 0.0, 0.01, Verdict::unchanged)});
  ASSERT_EQ(names_of(lines), std::vector<std::string>{"BM_sort/*"});
  EXPECT_EQ(lines[0].points[0].size, 64);
  EXPECT_DOUBLE_EQ(lines[0].points[0].ratio, 1.2);
  EXPECT_EQ(lines[0].points[2].size, 4096);
}

TEST(RatioLines, FindNumbersInTheMiddleAndAfterKeys) {
  const auto both = ratio_lines({step_time("sort/16/threads:2", 1, 0, 0.01, Verdict::unchanged),
                                 step_time("sort/16/threads:8", 1, 0, 0.01, Verdict::unchanged),
                                 step_time("sort/64/threads:8", 1, 0, 0.01, Verdict::unchanged)});
  EXPECT_EQ(names_of(both), (std::vector<std::string>{"sort/*/threads:8", "sort/16/threads:*"}));
}

TEST(RatioLines, DrawASweepOfTwoNumbersOverEach) {
  const auto both =
      ratio_lines({step_time("forward/batch_1_length_16", 1, 0, 0.01, Verdict::unchanged),
                   step_time("forward/batch_1_length_64", 1, 0, 0.01, Verdict::unchanged),
                   step_time("forward/batch_4_length_16", 1, 0, 0.01, Verdict::unchanged),
                   step_time("forward/batch_4_length_64", 1, 0, 0.01, Verdict::unchanged)});
  EXPECT_EQ(names_of(both),
            (std::vector<std::string>{"forward/batch_*_length_16", "forward/batch_*_length_64",
                                      "forward/batch_1_length_*", "forward/batch_4_length_*"}));
}

TEST(RatioLines, IgnoreDigitsThatAreNotSizes) {
  EXPECT_TRUE(ratio_lines({step_time("quantization/int8", 1, 0, 0.01, Verdict::unchanged),
                           step_time("quantization/int4", 1, 0, 0.01, Verdict::unchanged),
                           step_time("case_1", 1, 0, 0.01, Verdict::unchanged),
                           step_time("case_2", 1, 0, 0.01, Verdict::unchanged),
                           step_time("sort/16_bit", 1, 0, 0.01, Verdict::unchanged),
                           step_time("sort/32_bit", 1, 0, 0.01, Verdict::unchanged),
                           step_time("lm/nan", 1, 0, 0.01, Verdict::unchanged),
                           step_time("lm/inf", 1, 0, 0.01, Verdict::unchanged),
                           step_time("alone/7", 1, 0, 0.01, Verdict::unchanged),
                           step_time("", 1, 0, 0.01, Verdict::unchanged),
                           step_time("/", 1, 0, 0.01, Verdict::unchanged)})
                  .empty());
}

TEST(RatioLines, OmitComparisonsWithoutRatio) {
  Comparison gone = step_time("a/2", 1, -1, 0, Verdict::improved);
  Comparison unknown = step_time("a/3", 1, 0, 0, Verdict::regressed);
  unknown.change.reset();
  EXPECT_TRUE(
      ratio_lines({step_time("a/1", 1, 0, 0.01, Verdict::unchanged), gone, unknown}).empty());
  Comparison two = varied("mlp/layers-2", 1, 2, 0.5);
  (*two.base_params)["width"] = std::int64_t{32};
  EXPECT_TRUE(ratio_lines({two}).empty()) << "two parameters differ";
}

TEST(RatioPicture, DrawsALinePerWorkloadWithIntervals) {
  const auto sets = ratio_sets({varied("training/mlp/layers-4", 1, 4, 2.9),
                                varied("training/mlp/layers-2", 1, 2, 0.95),
                                varied("training/lm/layers-2", 1, 2, 0.5)});
  ASSERT_EQ(sets.size(), 1u);
  ASSERT_EQ(sets[0].size(), 2u);
  const std::string svg = ratio_picture(sets[0]);
  const auto lines = samples::drawn(svg, "polyline");
  ASSERT_EQ(lines.size(), 2u);
  const auto mlp = lines[1].places();
  ASSERT_EQ(mlp.size(), 3u);
  EXPECT_LT(mlp[0].x, mlp[1].x);
  EXPECT_GT(mlp[0].y, mlp[2].y);
  EXPECT_NEAR((mlp[0].y - mlp[1].y) / (mlp[0].y - mlp[2].y), 0.95 / 2.9, 0.01);
  EXPECT_NE(samples::texts_of(svg).find("1.00 to 3.90"), std::string::npos);
  samples::expect_within(svg, "ratios");
}

TEST(RatioPicture, HasAtMostOneLinePerColour) {
  std::vector<Comparison> rows;
  for (int i = 0; i < 14; ++i) {
    for (const char* size : {"/8", "/16"}) {
      rows.push_back(step_time("w" + std::string(1, static_cast<char>('a' + i)) + size, 1, 0.1,
                               0.01, Verdict::unchanged));
    }
  }
  const auto sets = ratio_sets(rows);
  ASSERT_EQ(sets.size(), 3u);
  EXPECT_EQ(sets[0].size(), 6u);
  EXPECT_EQ(sets[2].size(), 2u);
  EXPECT_EQ(ratio_picture({}), "");
}

}  // namespace
}  // namespace perf::reporter::svg
