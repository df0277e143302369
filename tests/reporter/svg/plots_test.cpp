#include <gtest/gtest.h>

#include <set>

#include "reporter/render.h"
#include "reporter/svg/drawing.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

namespace perf {
namespace {

using reporter::svg::file_name;

bool is_safe(const std::string& name) {
  return !name.empty() && name[0] != '.' && name[0] != '-' && name.size() <= 100 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") == std::string::npos;
}

TEST(FileName, IsSafeAndSimilarToTheText) {
  std::set<std::string> taken;
  EXPECT_EQ(file_name("steps", "training/MLP_stack", taken), "steps-training-mlp_stack");
  EXPECT_EQ(file_name("steps", "training/mlp_stack", taken), "steps-training-mlp_stack-2");
  EXPECT_EQ(file_name("intervals", "", taken), "intervals");
  EXPECT_EQ(file_name("a", "../../etc/passwd", taken), "a-etc-passwd");
  for (const std::string& text : samples::hostile_texts()) {
    EXPECT_TRUE(is_safe(file_name("pairs", text, taken))) << text.substr(0, 80);
  }
  EXPECT_EQ(taken.size(), 4 + samples::hostile_texts().size()) << "no two alike";
}

TEST(Plots, DrawAllData) {
  Report report = samples::regressed();
  const std::vector<MeasuredWorkload> measured = samples::measure(report);
  std::set<std::string> names;
  for (const Picture& picture : plots(report, measured)) {
    EXPECT_TRUE(is_safe(picture.name)) << picture.name;
    EXPECT_TRUE(names.insert(picture.name).second) << picture.name << " twice";
    samples::expect_within(picture.svg.substr(picture.svg.find("<svg")), picture.name);
  }
  for (const char* name :
       {"intervals", "bars-step_time", "bars-peak_rss", "steps-training-lm", "memory-training-lm",
        "pairs-training-lm-step_time", "values-training-mlp_stack-tokens_per_second"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
}

TEST(Plots, AreEmptyWithoutData) {
  EXPECT_TRUE(plots(samples::empty(), {}).empty());
}

TEST(Plots, ShowHostileNamesAsText) {
  std::vector<std::string> all;
  for (const std::string& text : samples::hostile_texts()) {
    Report report = samples::poisoned_report(text);
    const std::vector<MeasuredWorkload> measured = samples::measure(report);
    std::set<std::string> names;
    for (const Picture& picture : plots(report, measured)) {
      EXPECT_TRUE(is_safe(picture.name));
      EXPECT_TRUE(names.insert(picture.name).second) << picture.name;
      EXPECT_EQ(picture.svg.find("<script"), std::string::npos);
      all.push_back(picture.svg);
    }
    EXPECT_FALSE(names.empty());
  }
  if (!samples::expect_well_formed(all, "hostile reports")) {
    GTEST_SKIP() << "xmllint is not installed (Debian package libxml2-utils)";
  }
}

/// 100 workloads with 108 pairs of processes of 10 steps and two metrics: a page of theirs has 5
/// MB.
TEST(Plots, StaySmallForManySteps) {
  Report report = samples::many(100);
  const std::size_t count = report.comparisons.size();
  for (std::size_t i = 0; i < count; ++i) {
    report.comparisons.push_back(
        samples::peak_rss(report.comparisons[i].workload, 1e8, 0.001, 0.01, Verdict::unchanged));
  }
  const std::vector<MeasuredWorkload> measured = samples::measure(report, 108, 10);
  const std::vector<Picture> pictures = plots(report, measured);
  std::size_t bytes = 0;  // a page has the style once
  for (const Picture& picture : pictures) {
    bytes += picture.svg.size() - picture.svg.find("</style>");
  }
  EXPECT_LT(bytes, 4200U * 1024);
}

TEST(GoldenPictures, AreAsApproved) {
  Report report = samples::regressed();
  const std::vector<MeasuredWorkload> measured = samples::measure(report, 4, 3);
  for (const Picture& picture : plots(report, measured)) {
    if (picture.name != "intervals" && picture.name != "steps-training-mlp_stack") {
      continue;
    }
    test::expect_golden(picture.name + ".svg", picture.svg);
  }
}

}  // namespace
}  // namespace perf
