// Runs the commands of the README as a newcomer would, in an empty folder.

#include <gtest/gtest.h>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

/// The first fenced block of a language in a page.
std::string fenced_block(const std::string& page, const std::string& language) {
  const std::string fence = "\n```" + language + "\n";
  const std::size_t begin = page.find(fence);
  if (begin == std::string::npos) {
    return {};
  }
  const std::size_t text = begin + fence.size();
  return page.substr(text, page.find("\n```", text) + 1 - text);
}

void replace(std::string& text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what << " is not in:\n" << text;
  text.replace(at, what.size(), with);
}

TEST(Readme, HasAnExampleThatGivesItsVerdict) {
  std::string script = fenced_block(content_of(PERF_SOURCE_DIR "/README.md"), "sh");
  replace(script, "PERF=~/perf-compare", "PERF=" PERF_SOURCE_DIR);
  // The command built here, not a second build of it.
  replace(script, "\"$PERF\"/ci/perf-compare", PERF_BINARY_DIR "/bin/perf-compare");
  const TemporaryFolder folder;
  EXPECT_TRUE(ended(run({"sh", "-e", "-c", script}, folder.path(),
                        {{"GIT_AUTHOR_NAME", "Somebody"},
                         {"GIT_AUTHOR_EMAIL", "somebody@example.com"},
                         {"GIT_COMMITTER_NAME", "Somebody"},
                         {"GIT_COMMITTER_EMAIL", "somebody@example.com"},
                         {"HOME", folder.path().string()},
                         {"XDG_CACHE_HOME", (folder.path() / "cache").string()}}),
                    1, {"Regressed: waves is slower"}));
}

}  // namespace
}  // namespace perf::test
