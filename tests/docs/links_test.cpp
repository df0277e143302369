// Links in the documentation resolve, and short pages stay short.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "schema/files/content.h"
#include "tests/docs/page.h"

namespace perf::test {
namespace {

constexpr int kShortPage = 50;

/// The fault of a link; empty if it resolves, or is an address outside the repository.
std::string fault_of(const std::filesystem::path& root, const Page& page, const std::string& link) {
  if (link.find("://") != std::string::npos || link.rfind("mailto:", 0) == 0) {
    return {};
  }
  const std::size_t hash = link.find('#');
  const std::string file = link.substr(0, hash);
  const std::filesystem::path target =
      file.empty() ? std::filesystem::path(page.name)
                   : (std::filesystem::path(page.name).parent_path() / file).lexically_normal();
  if (target.string().rfind("..", 0) == 0 || !std::filesystem::exists(root / target)) {
    return "there is no " + target.string();
  }
  if (hash == std::string::npos) {
    return {};
  }
  if (target.extension() != ".md") {
    return "only pages have headings";
  }
  const std::vector<std::string> anchors = read_page(root, target.string()).anchors;
  const std::string anchor = link.substr(hash + 1);
  return std::find(anchors.begin(), anchors.end(), anchor) == anchors.end()
             ? target.string() + " has no heading #" + anchor
             : std::string();
}

TEST(Links, Resolve) {
  int links = 0;
  for (const Page& page : all_pages(PERF_SOURCE_DIR)) {
    for (const std::string& link : page.links) {
      ++links;
      EXPECT_EQ(fault_of(PERF_SOURCE_DIR, page, link), "") << page.name << ": " << link;
    }
  }
  EXPECT_GT(links, 100);  // or they are not read
}

TEST(Links, AreReportedWhereTheyDoNotResolve) {
  const Page page = read_page(PERF_SOURCE_DIR, "docs/verdicts.md");
  for (const char* wrong : {"nothing.md", "#no-such-heading", "store.md#no-such-heading",
                            "../../outside.md", "../CMakeLists.txt#project"}) {
    EXPECT_NE(fault_of(PERF_SOURCE_DIR, page, wrong), "") << wrong;
  }
  for (const char* right : {"store.md", "#the-rule", "../schema/json/report.schema.json"}) {
    EXPECT_EQ(fault_of(PERF_SOURCE_DIR, page, right), "") << right;
  }
}

TEST(Links, HaveAnchorsAsOnGitHub) {
  EXPECT_EQ(anchor_of("Verdicts without measuring: `judge`, and report files"),
            "verdicts-without-measuring-judge-and-report-files");
  EXPECT_EQ(anchor_of("ci/evidence: repeated real runs"), "cievidence-repeated-real-runs");
}

/// Whether a page compares us with all others, without a link to the list of what was tried.
bool claims_without_evidence(const std::string& text) {
  static const std::regex claim("(none of the|no other|the only)\\s+(tool|program|benchmark)",
                                std::regex::icase);
  return std::regex_search(text, claim) && text.find("evidence.md#tools-we-tried") == text.npos;
}

TEST(Claims, LinkTheListOfToolsThatWereTried) {
  for (const Page& page : all_pages(PERF_SOURCE_DIR)) {
    if (page.name != "docs/evidence.md") {
      EXPECT_FALSE(
          claims_without_evidence(content_of(std::filesystem::path(PERF_SOURCE_DIR) / page.name)))
          << page.name;
    }
  }
  EXPECT_TRUE(claims_without_evidence("None of the\ntools we tried skips it."));
  EXPECT_FALSE(
      claims_without_evidence("None of the [tools](docs/evidence.md#tools-we-tried) does"));
}

TEST(Pages, AreInTheIndex) {
  const Page index = read_page(PERF_SOURCE_DIR, "docs/README.md");
  for (const Page& page : all_pages(PERF_SOURCE_DIR)) {
    const std::string file = std::filesystem::path(page.name).filename();
    if (page.name.rfind("docs/", 0) != 0 || page.name == index.name) {
      continue;
    }
    EXPECT_NE(std::find(index.links.begin(), index.links.end(), file), index.links.end())
        << "docs/README.md has no link to " << page.name;
  }
}

TEST(Pages, AreShortWhereTheyShouldBe) {
  for (const char* name : {"CHANGELOG.md", "CONTRIBUTING.md"}) {
    EXPECT_LE(read_page(PERF_SOURCE_DIR, name).lines, kShortPage) << name;
  }
}

}  // namespace
}  // namespace perf::test
