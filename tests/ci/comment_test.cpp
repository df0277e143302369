// ci/recipes/github/comment against artifacts that an attacker made. `gh` is a script of the test:
// it answers with the files of a folder, and keeps what it was asked to write.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kGh = R"sh(#!/bin/bash
# gh api [--method M] [--paginate] PATH [--jq FILTER] [-F body=@FILE] [--silent]
here=$(dirname "$0")
method=GET filter=. path='' body=''
shift
while [ $# -gt 0 ]; do
  case $1 in
    --method) method=$2; shift 2 ;;
    --jq) filter=$2; shift 2 ;;
    -F) body=${2#body=@}; shift 2 ;;
    --paginate | --silent) shift ;;
    *) path=$1; shift ;;
  esac
done
echo "$method $path" >> "$here/asked"
[ -z "$body" ] || cp "$body" "$here/posted.md"
[ "$method" = GET ] || exit 0
case $path in
  */zip) exec cat "$here/artifact.zip" ;;
esac
answer=$here/answers/$(printf '%s' "${path%%\?*}" | tr / _)
if [ ! -e "$answer" ]; then
  echo '{"message":"Not Found","status":"404"}'
  echo 'gh: Not Found (HTTP 404)' >&2
  exit 1
fi
jq -r "$filter" "$answer"
)sh";

const std::string kCommit(40, 'c');

/// A run of pull request 7 that left an artifact, and everything as it should be.
class Comment : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"jq", "zip", "unzip", "iconv"}) {
      if (run({"sh", "-c", std::string("command -v ") + program}, folder()).exit_code != 0) {
        GTEST_SKIP() << "there is no " << program << " (ci/install_deps.sh --test)";
      }
    }
    fs::create_directories(folder() / "answers");
    write("gh", kGh);
    fs::permissions(folder() / "gh", fs::perms::owner_exec, fs::perm_options::add);
    answer("actions_runs_99", {{"event", "pull_request"},
                               {"head_sha", kCommit},
                               {"head_repository", {{"id", 5}}},
                               {"html_url", "https://github.com/o/r/actions/runs/99"}});
    artifact_facts(1000);
    pull({{"state", "open"}, {"head", {{"sha", kCommit}, {"repo", {{"id", 5}}}}}});
    answer("issues_7_comments", Json::array());
    write("pull-request.txt", "7\n");
    write("report.md", "### Unchanged\n");
  }

  fs::path folder() const { return folder_.path(); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder() / name, std::ios::binary) << text;
  }
  void answer(const std::string& path, const Json& json) const {
    write("answers/repos_o_r_" + path, json.dump());
  }
  void artifact_facts(int size) const {
    answer("actions_runs_99_artifacts",
           {{"artifacts", {{{"id", 3}, {"size_in_bytes", size}, {"expired", false}}}}});
  }
  void pull(const Json& json) const { answer("pulls_7", json); }

  Outcome comment(const std::string& id = "99") const {
    fs::remove(folder() / "artifact.zip");
    run({"zip", "-q", "artifact.zip", "pull-request.txt", "report.md"}, folder());
    return post(id);
  }
  /// The same of the artifact that is there.
  Outcome post(const std::string& id) const {
    return run({PERF_SOURCE_DIR "/ci/recipes/github/comment", id}, folder(),
               {{"PATH", folder().string() + ":" + std::getenv("PATH")},
                {"TMPDIR", folder().string()},
                {"GITHUB_REPOSITORY", "o/r"}});
  }

  std::string asked() const { return content_of(folder() / "asked"); }
  std::string posted() const { return content_of(folder() / "posted.md"); }
  bool is_posted() const { return fs::exists(folder() / "posted.md"); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Comment, PostsTheReport) {
  ASSERT_TRUE(ended(comment(), 0));
  EXPECT_TRUE(contains(asked(), "POST repos/o/r/issues/7/comments\n"));
  EXPECT_EQ(posted(),
            "<!-- perf-compare -->\n_Measured and written by [this "
            "run](https://github.com/o/r/actions/runs/99) of the pull request's own code._\n\n"
            "### Unchanged\n");
}

TEST_F(Comment, UpdatesOnlyItsOwnComment) {
  const std::string body = "<!-- perf-compare -->\nold";
  answer("issues_7_comments",
         Json::array({{{"id", 1}, {"user", {{"login", "somebody"}}}, {"body", body}},
                      {{"id", 2}, {"user", {{"login", "github-actions[bot]"}}}, {"body", "other"}},
                      {{"id", 3}, {"user", {{"login", "github-actions[bot]"}}}, {"body", body}}}));
  ASSERT_EQ(comment().exit_code, 0);
  EXPECT_TRUE(contains(asked(), "PATCH repos/o/r/issues/comments/3\n"));
  EXPECT_FALSE(contains(asked(), "POST"));
}

TEST_F(Comment, PostsNothingForAnotherPullRequest) {
  const Json others[] = {
      {{"state", "open"}, {"head", {{"sha", std::string(40, 'd')}, {"repo", {{"id", 5}}}}}},
      {{"state", "open"}, {"head", {{"sha", kCommit}, {"repo", {{"id", 6}}}}}},
      {{"state", "open"}, {"head", {{"sha", kCommit}, {"repo", nullptr}}}},
      {{"state", "closed"}, {"head", {{"sha", kCommit}, {"repo", {{"id", 5}}}}}}};
  for (const Json& other : others) {
    pull(other);
    EXPECT_TRUE(ended(comment(), 0, {"nothing is posted"}));
    EXPECT_FALSE(is_posted()) << other;
  }
}

TEST_F(Comment, PostsNothingForOtherEvents) {
  answer("actions_runs_99", {{"event", "push"},
                             {"head_sha", kCommit},
                             {"head_repository", {{"id", 5}}},
                             {"html_url", "https://github.com/o/r/actions/runs/99"}});
  EXPECT_EQ(comment().exit_code, 0);
  EXPECT_FALSE(is_posted());
}

TEST_F(Comment, RefusesAnInvalidNumber) {
  const std::string planted = (folder() / "planted").string();
  for (const std::string& number :
       {std::string(), std::string("0"), std::string("7/../8"), std::string("7 8"),
        std::string("7\n8"), "$(touch " + planted + ")", std::string("99999999999"),
        std::string("-7"), std::string("7\0008", 3), std::string(5000, '7')}) {
    write("pull-request.txt", number);
    const Outcome outcome = comment();
    if (number == std::string("7\0008", 3)) {  // a shell drops the zero: another number
      EXPECT_TRUE(contains(asked(), "pulls/78"));
    }
    EXPECT_EQ(outcome.exit_code, 3) << number << outcome.err;
    EXPECT_FALSE(is_posted()) << number;
    EXPECT_FALSE(fs::exists(planted)) << number;
  }
}

TEST_F(Comment, RefusesLargeMissingAndDamagedArtifacts) {
  artifact_facts(20000001);
  EXPECT_EQ(comment().exit_code, 3);
  artifact_facts(1000);
  write("report.md", "");
  EXPECT_EQ(comment().exit_code, 3);
  answer("actions_runs_99_artifacts", {{"artifacts", Json::array()}});
  EXPECT_EQ(comment().exit_code, 0) << "a run that measured nothing";
  fs::remove(folder() / "answers/repos_o_r_actions_runs_99");
  EXPECT_EQ(comment().exit_code, 3) << "GitHub is not there";
  EXPECT_EQ(comment("99; true").exit_code, 2);
  EXPECT_FALSE(is_posted());
}

// 400 MB of zeros are some hundred kB in the artifact.
TEST_F(Comment, ShortensALongReport) {
  ASSERT_EQ(
      run({"sh", "-c", "head -c 100000000 /dev/zero | tr '\\0' a > report.md"}, folder()).exit_code,
      0);
  EXPECT_EQ(comment().exit_code, 0) << "one line of 100 MB";
  EXPECT_LT(posted().size(), 1000U);
  ASSERT_EQ(
      run({"sh", "-c", "yes '| a | `row` | of a table |' | head -c 10000000 > report.md"}, folder())
          .exit_code,
      0);
  ASSERT_EQ(comment().exit_code, 0);
  EXPECT_GT(posted().size(), 50000U);
  EXPECT_LT(posted().size(), 65536U);
  EXPECT_TRUE(contains(posted(), ", truncated: the artifact has the full report._\n"));
  EXPECT_EQ(posted().substr(posted().size() - 3), " |\n") << "cut inside a row";
}

TEST_F(Comment, UnpacksNothing) {
  // A link instead of the report, and members that would climb out.
  const std::string artifact = R"py(
import zipfile
with zipfile.ZipFile('artifact.zip', 'w') as z:
    z.writestr('pull-request.txt', '7')
    link = zipfile.ZipInfo('report.md'); link.external_attr = 0o120777 << 16
    z.writestr(link, '/etc/passwd')
    z.writestr('../escaped', 'x'); z.writestr('/tmp/escaped-perf-compare', 'x')
)py";
  ASSERT_EQ(run({"python3", "-c", artifact}, folder()).exit_code, 0);
  EXPECT_TRUE(ended(post("99"), 0));
  EXPECT_FALSE(contains(posted(), "root:"));
  EXPECT_TRUE(contains(posted(), "/etc/passwd")) << "the link's text, and no more";
  EXPECT_FALSE(fs::exists(folder().parent_path() / "escaped"));
  EXPECT_FALSE(fs::exists("/tmp/escaped-perf-compare"));
}

/// The HTML that GitHub's own parser makes of what was posted, without our line at the top.
std::string rendered(const fs::path& folder, const std::string& posted) {
  std::ofstream(folder / "text.md", std::ios::binary) << posted.substr(posted.find("_\n\n") + 3);
  const Outcome outcome = run({"cmark-gfm", "--unsafe", "-e", "autolink", "-e", "table", "-e",
                               "strikethrough", "-e", "footnotes", "text.md"},
                              folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.out;
}

// All in one report, in which a definition or a fence would act on what follows it; and the other
// way round.
TEST_F(Comment, MakesHostileMarkdownInert) {
  if (run({"cmark-gfm", "--version"}, folder()).exit_code != 0) {
    GTEST_SKIP() << "there is no cmark-gfm (ci/install_deps.sh --test)";
  }
  std::vector<std::string> hostile{
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "<details open onclick=x><a href='//evil'>x</a></details>",
      "[click](https://evil.example)",
      "![picture](https://evil.example/a.png)",
      "[click][1]\n\n[1]: https://evil.example",
      "[click]\n\n[click]: https://evil.example",
      "see https://evil.example and www.evil.example and WWW.evil.example",
      "<https://evil.example> <me@evil.example> me@evil.example",
      "@team @org/team \\@team &#64;team &#x40;team &commat;team &#064;team",
      "#1 \\#1 &#35;1 o/r#1 GH-1 gh-1",
      "see #&#49; and GH&#45;1 o/r#&#49;",
      "```mermaid\ngraph LR; click A \"https://evil.example\"\n```",
      "- ~~~math\n  x\n  ~~~",
      "$\\href{https://evil.example}{x}$",
      "<!-- perf-compare -->",
      "\x1b]0;title\x07\x1b[31mred \xe2\x80\xaegpj.exe \xc2\x9b \xff\xfe",
      "[^1]\n\n[^1]: https://evil.example"};
  for (int round = 0; round < 2; ++round) {
    std::string report;
    for (const std::string& text : hostile) {
      report += text + "\n\n";
    }
    write("report.md", report);
    ASSERT_EQ(comment().exit_code, 0);
    const std::string html = rendered(folder(), posted());
    // Each text is a paragraph of its own, or a list: none swallowed another.
    EXPECT_TRUE(contains(html, "alert(1)") && contains(html, "gpj.exe")) << html;
    for (const char* forbidden :
         {"<a", "<img", "<script", "<details open", "<pre", "<section", "<!--", "://", "@t", "@o",
          "@e", "#1", "GH-1", "gh-1", "\x1b", "\x07", "\xff", "\xe2\x80\xae", "\xc2\x9b"}) {
      EXPECT_FALSE(contains(html, forbidden)) << forbidden;
    }
    std::ranges::reverse(hostile);
  }
}

// What perf-compare itself writes looks as it was meant to.
TEST_F(Comment, KeepsAnHonestReport) {
  const std::string honest =
      "### \xe2\x9d\x8c Regressed: `claimed` is slower: +29.9 % \\[+29.3, +30.3]\n\n"
      "**base**  59db7d3658  c5  (`baseline`: first parent)\\\n"
      "| workload | change |\n| --- | ---: |\n| `claimed` | <code>a&#60;b&#62;</code> |\n\n"
      "<details><summary>How to reproduce</summary>\n\n"
      "<pre lang=\"sh\"><code>perf-compare a b\n</code></pre>\n\n</details>\n";
  write("report.md", honest);
  ASSERT_EQ(comment().exit_code, 0);
  EXPECT_EQ(posted().substr(posted().find("_\n\n") + 3), honest);
}

}  // namespace
}  // namespace perf::test
