#include <gtest/gtest.h>

#include "collector/git/ancestry.h"
#include "collector/git/repository.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

using test::run_process;
using test::Scratch;

/// main: first - second - merge - last; side: first - aside, merged.
struct ForkedLine {
  ForkedLine() {
    first = scratch.commit("a", "1");
    scratch.git({"checkout", "--quiet", "-b", "side"});
    aside = scratch.commit("b", "1");
    scratch.git({"checkout", "--quiet", "main"});
    second = scratch.commit("a", "2");
    scratch.git({"merge", "--quiet", "--no-ff", "-m", "Merge", "side"});
    merge = scratch.git({"rev-parse", "HEAD"});
    last = scratch.commit("a", "3");
  }

  std::vector<std::string> line(const std::string& good, const std::string& bad) {
    const Repository repository = Repository::open(scratch.path(), run_process());
    std::vector<std::string> oids;
    for (const Revision& revision :
         bisect_line(repository, resolve(repository, good), resolve(repository, bad))) {
      oids.push_back(revision.oid);
    }
    return oids;
  }

  /// What the error of asking wrongly says and advises.
  std::string refusal(const std::string& good, const std::string& bad) {
    try {
      line(good, bad);
    } catch (const UsageError& error) {
      return error.what + " | " + error.hint;
    }
    return "not refused";
  }

  Scratch scratch;
  std::string first, aside, second, merge, last;
};

TEST(BisectLine, FollowsFirstParents) {
  ForkedLine forked;
  EXPECT_EQ(forked.line("main~3", "main"),
            (std::vector<std::string>{forked.second, forked.merge, forked.last}));
  EXPECT_EQ(forked.line("main~1", "main"), std::vector<std::string>{forked.last});
}

TEST(BisectLine, RefusesCommitsWithoutALine) {
  ForkedLine forked;
  EXPECT_EQ(forked.refusal("main", "main"), "GOOD and BAD are the same commit | name two commits");
  EXPECT_EQ(forked.refusal("main", "main~2"), "GOOD comes after BAD | swap them");
  EXPECT_EQ(forked.refusal("side", "main~2"),
            "GOOD is not an ancestor of BAD | use their merge base as GOOD: " +
                forked.first.substr(0, 12));
  EXPECT_EQ(
      forked.refusal("side", "main"),
      "GOOD is not on the first-parent line of BAD | use the commit of the line before the "
      "merge as GOOD: " +
          forked.first.substr(0, 12));
}

TEST(BisectLine, RefusesUnrelatedHistories) {
  ForkedLine forked;
  forked.scratch.git({"checkout", "--quiet", "--orphan", "other"});
  forked.scratch.commit("c", "1");
  EXPECT_EQ(forked.refusal("main", "other"),
            "GOOD and BAD share no history | name two related commits");
}

}  // namespace
}  // namespace perf
