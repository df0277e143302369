#include <gtest/gtest.h>

#include <string>

#include "reporter/markdown/capped_text.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

TEST(RenderMarkdown, StaysBelowTheCommentLimitBetweenRows) {
  const std::string text = render_markdown(samples::many(20000));
  EXPECT_LE(text.size(), reporter::kCommentLimit.bytes);
  EXPECT_LT(reporter::kCommentLimit.bytes, 65536U);
  EXPECT_GT(text.size(), reporter::kCommentLimit.bytes / 10 * 9) << "and uses what it may";
  EXPECT_GE(occurrences(text, "left out here to stay below 64 KiB"), 1U);
  EXPECT_EQ(occurrences(text, "<details>"), occurrences(text, "</details>"));
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    ASSERT_NE(end, std::string::npos) << "the last line ends";
    if (text[start] == '|') {
      EXPECT_EQ(text.compare(end - 2, 2, " |"), 0) << text.substr(start, end - start);
    }
    start = end + 1;
  }
}

TEST(RenderMarkdown, CutsTheFullTableFirst) {
  Report report = samples::many(4000);
  for (Comparison& comparison : report.comparisons) {
    comparison.notes = {samples::note_of(std::string(300, 'n'))};
    comparison.verdict = Verdict::unchanged;
  }
  report.comparisons[3999].verdict = Verdict::regressed;
  samples::summarize(report);
  const std::string text = render_markdown(report);
  EXPECT_LE(text.size(), reporter::kCommentLimit.bytes);
  EXPECT_TRUE(contains_all(text, {"workload_3999` | `step_time`", "SkylakeX"}));
  EXPECT_TRUE(contains(text, "perf-compare 3f2a91c4d1")) << "how to reproduce stays";
  EXPECT_TRUE(contains(text, "left out here"));
}

TEST(RenderMarkdown, DoesNotCutAHundredComparisons) {
  EXPECT_FALSE(contains(render_markdown(samples::many(100)), "left out"));
  // Seven of eight of these changed: a row above and one in the full table, with remarks on both.
  const std::string text = render_markdown(samples::many(250));
  EXPECT_EQ(occurrences(text, "left out"), 1U) << "of the full table";
  EXPECT_TRUE(contains(text, "<summary>Environment and policy"));
}

TEST(RenderMarkdown, KeepsCommandsCopyableAndEscaped) {
  Report report = samples::regressed();
  report.reproduce = {"perf-compare 'a</code></pre><b>' HEAD@{1}", "perf-compare ``` HEAD"};
  EXPECT_TRUE(contains(
      render_markdown(report),
      "<pre lang=\"sh\"><code>perf-compare &#39;a&#60;/code&#62;&#60;/pre&#62;&#60;b&#62;&#39; "
      "HEAD@{1}\nperf-compare ``` HEAD\n</code></pre>\n"));
}

TEST(RenderMarkdown, LeavesOutTheCommandBlockIfThereIsNoRoom) {
  Report report = samples::regressed();
  report.reproduce = {"perf-compare " + std::string(1500, 'x'), "perf-compare b"};
  for (std::size_t limit = 900; limit < 6000; limit += 50) {
    const std::string text = render_github_summary(report, limit);
    for (std::size_t at = text.find("left out"); at != std::string::npos;
         at = text.find("left out", at + 1)) {
      const std::string before = text.substr(0, at);
      EXPECT_EQ(occurrences(before, "<pre"), occurrences(before, "</pre>")) << limit;
    }
    EXPECT_EQ(occurrences(text, "<pre"), occurrences(text, "</code></pre>")) << limit;
  }
}

TEST(RenderMarkdown, RendersTablesAndFoldedSections) {
  if (!samples::has_program("cmark-gfm")) {
    GTEST_SKIP() << "cmark-gfm is not installed (Debian package cmark-gfm)";
  }
  bool succeeded = false;
  const std::string html = samples::output_of("cmark-gfm --unsafe -e table",
                                              render_markdown(samples::regressed()), succeeded);
  EXPECT_TRUE(succeeded);
  EXPECT_EQ(occurrences(html, "<table>"), 4U);
  EXPECT_EQ(occurrences(html, "<h3>"), 1U);
  EXPECT_EQ(occurrences(html, "<details><summary>"), 3U);
  EXPECT_EQ(occurrences(html, "</details>"), 3U);
  EXPECT_EQ(occurrences(html, "<ul>"), 2U);
  EXPECT_TRUE(contains(html, "<td>+14.3 % [+12.1, +16.0]</td>"));
}

}  // namespace
}  // namespace perf
