#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "reporter/html/document.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

constexpr std::size_t kMegabyte = 1000 * 1000;

std::size_t size_of_page(int pairs) {
  Report report = samples::many_measured(100);
  const std::vector<MeasuredWorkload> measured = samples::measure(report, pairs);
  return render_html(report, measured).size();
}

TEST(RenderHtml, StaysBelowFiveMegabytesForTwoHundredComparisons) {
  EXPECT_LT(size_of_page(16), 3 * kMegabyte);
  EXPECT_LT(size_of_page(108), 5 * kMegabyte) << "every comparison at its last look";
}

TEST(RenderHtml, IsCompleteWithAndWithoutMeasurements) {
  for (const samples::Named& sample : samples::all()) {
    Report report = sample.report;
    for (const bool is_measured : {false, true}) {
      const std::vector<MeasuredWorkload> measured =
          is_measured ? samples::measure(report) : std::vector<MeasuredWorkload>{};
      const std::string html = render_html(report, measured);
      EXPECT_FALSE(contains(html, "nan")) << sample.name;
      EXPECT_EQ(occurrences(html, "<svg "), occurrences(html, "</svg>")) << sample.name;
      EXPECT_EQ(occurrences(html, "<details"), occurrences(html, "</details>")) << sample.name;
      EXPECT_EQ(occurrences(html, "class=\"workload\""),
                reporter::html::workload_groups(report, measured).size());
    }
  }
}

TEST(RenderHtml, IsDeterministic) {
  Report report = samples::mixed();
  const std::vector<MeasuredWorkload> measured = samples::measure(report);
  EXPECT_EQ(render_html(report, measured), render_html(report, measured));
}

TEST(RenderHtml, HasTheOrderOfEveryReport) {
  const std::string html = render_html(samples::mixed(), {});
  std::size_t at = 0;
  for (const std::string part :
       {"<h1>", "3f2a91c4d1", "What changed", "11 unchanged", "All comparisons",
        "Workloads in full", "Environment and policy", "How to reproduce"}) {
    const std::size_t next = html.find(part, at);
    EXPECT_NE(next, std::string::npos) << part;
    at = std::min(next, html.size());
  }
}

/// The first tags of the details of workloads, in their order.
std::size_t open_details(const std::string& html) {
  return occurrences(html, "<details class=\"workload\" open=\"\">");
}

TEST(RenderHtml, OpensTheDetailsOfFewChangedWorkloads) {
  Report report = samples::unchanged();
  EXPECT_EQ(open_details(render_html(report, {})), 0U);
  report.comparisons[0].verdict = Verdict::regressed;
  report.comparisons[2].verdict = Verdict::inconclusive;
  report.comparisons[4].verdict = Verdict::failed;
  ASSERT_EQ(std::set<std::string>({report.comparisons[0].workload, report.comparisons[2].workload,
                                   report.comparisons[4].workload})
                .size(),
            3U);
  const std::string html = render_html(report, {});
  EXPECT_EQ(open_details(html), 3U);
  EXPECT_TRUE(contains(html, "<details class=\"workload\" open=\"\"><summary><code dir=\"auto\">" +
                                 report.comparisons[0].workload));
  for (Comparison& comparison : report.comparisons) {
    comparison.verdict = Verdict::improved;
  }
  EXPECT_EQ(open_details(render_html(report, {})), 0U) << "a long page opens by a click";
}

TEST(RenderHtml, NamesThePlaceOfTheRestAndDrawsPairsOnce) {
  Report report = samples::regressed();
  const std::string html = render_html(report, samples::measure(report));
  EXPECT_TRUE(contains(html, "not judged (in full below)"));
  EXPECT_FALSE(contains(html, "--json")) << "a page has it all";
  EXPECT_EQ(occurrences(html, "pair by pair "), 2U) << "once in each row; the details draw them";
}

TEST(WorkloadGroups, HaveOneWorkloadAndParameters) {
  Report report = samples::regressed();
  report.comparisons[0].params["layers"] = std::int64_t{4};
  const std::vector<MeasuredWorkload> measured{
      {report.comparisons[0].workload, report.comparisons[0].params, {}}};
  const auto groups = reporter::html::workload_groups(report, measured);
  std::size_t rows = 0;
  for (const auto& group : groups) {
    rows += group.comparisons.size();
  }
  EXPECT_EQ(rows, report.comparisons.size());
  EXPECT_EQ(groups[0].comparisons.size(), 1U);
  EXPECT_EQ(groups[0].measured, &measured[0]);
  EXPECT_EQ(groups[0].id, "w1");
  EXPECT_EQ(groups[1].workload(), groups[0].workload());
  EXPECT_EQ(groups[1].measured, nullptr) << "measured with other parameters";
}

}  // namespace
}  // namespace perf
