// Runs the commands of docs/tutorial.md, in order, in an empty folder.

#include <gtest/gtest.h>

#include <cstdlib>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

/// All fenced blocks of shell on a page, in order.
std::string shell_blocks(const std::string& page) {
  const std::string fence = "\n```sh\n";
  std::string script;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    script += page.substr(at, page.find("\n```", at) + 1 - at);
  }
  return script;
}

void expect_after(const std::string& text, const std::string& what, std::size_t& at) {
  const std::size_t found = text.find(what, at);
  EXPECT_NE(found, std::string::npos) << "no \"" << what << "\" in:\n" << text.substr(at);
  at = found == std::string::npos ? at : found + what.size();
}

TEST(Tutorial, HasWorkingCommands) {
  if (std::system("python3 --version > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "the tutorial's project is in Python, and there is no python3";
  }
  const TemporaryFolder folder;
  const Outcome outcome =
      run({"sh", "-e", "-c", shell_blocks(content_of(PERF_SOURCE_DIR "/docs/tutorial.md"))},
          folder.path(),
          {{"PATH", PERF_BINARY_DIR "/bin:" + path_to_programs()},
           {"GIT_AUTHOR_NAME", "Somebody"},
           {"GIT_AUTHOR_EMAIL", "somebody@example.com"},
           {"GIT_COMMITTER_NAME", "Somebody"},
           {"GIT_COMMITTER_EMAIL", "somebody@example.com"},
           {"GIT_CONFIG_GLOBAL", "/dev/null"},
           {"HOME", folder.path().string()},
           {"XDG_CACHE_HOME", (folder.path() / "cache").string()}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  std::size_t at = 0;
  expect_after(outcome.out, "Wrote perf-compare.json", at);
  expect_after(outcome.out, "Regressed: bench_words is slower", at);
  expect_after(outcome.out, "exit status 1", at);
  expect_after(outcome.out, "Improved: bench_words is faster", at);
  // What the machine's noise decides is not asked: whether planted changes are caught, whether a
  // step in 20 nights is an alert, and which commit a bisection over commits so noisy names. That
  // each command comes to its end, and to an answer of its own, is.
  expect_after(outcome.out, "planted at 1.5 times each threshold", at);
  expect_after(outcome.out, "20 commits: 20 measured", at);
  expect_after(outcome.out, "bench_words", at);
  expect_after(outcome.out, "commits measured, ", at);
  expect_after(outcome.out, ", size ci", at);
  for (const char* file : {"report.html", "report.md", "history.html"}) {
    EXPECT_FALSE(content_of(folder.path() / file).empty()) << file;
  }
}

}  // namespace
}  // namespace perf::test
