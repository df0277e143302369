// Files that git-lfs keeps: whole where the user has git-lfs and the clone has them; else the
// report says that only pointers were measured, and what to run.

#include <gtest/gtest.h>

#include "tests/ci/claimed_benchmark.h"
#include "tests/contains.h"
#include "tests/faults/clones.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kCompareLfs{"HEAD~1",  "HEAD", "--pairs",  "6",
                                           "--alpha", "25%",  "--metric", "step_time"};

class LfsFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (world.run({"git", "lfs", "version"}, world / "home").exit_code != 0) {
      GTEST_SKIP() << "git-lfs is not installed (ci/install_deps.sh --test)";
    }
    world.run({"git", "lfs", "install", "--skip-repo"}, world / "home");
    world.git(".", {"init", "-q", "origin"});
    world.write("origin/.gitattributes", "*.big filter=lfs diff=lfs merge=lfs -text\n");
    world.write("origin/perf-compare.json", kClaimedConfig);
    world.write(
        "origin/bench",
        "#!/bin/sh\ngrep -q '^1' work.big || exit 7\nexport PERF_COMPARE_STEPS\ncp work.big "
        "work\n" +
            kClaimedBenchmark.substr(kClaimedBenchmark.find('\n') + 1),
        true);
    world.write("origin/work.big", "100");
    world.commit("origin", "One");
    world.write("origin/work.big", "130");
    world.commit("origin", "Two");
  }
  fs::path clone(const std::map<std::string, std::string>& environment) {
    const Outcome made =
        world.run({"git", "clone", "-q", world.url("origin"), "clone"}, world / ".", environment);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return world / "clone";
  }

  /// Runs each command that the report says to try, until none is named any more.
  void expect_mended(const fs::path& where, std::map<std::string, std::string> environment) {
    for (int i = 0; i < 6; ++i) {
      const Outcome outcome = world.perf_compare(where, {"collect", "HEAD"}, environment);
      const std::size_t hint = outcome.err.find("git lfs install && git");
      const std::size_t fetch =
          outcome.err.find("git -C " + where.string() + "/ lfs fetch origin ");
      const std::size_t begin = std::min(hint, fetch);
      if (begin == std::string::npos) {
        EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
        EXPECT_GT(i, 0) << "there was nothing to mend";
        return;
      }
      EXPECT_NE(outcome.exit_code, 0) << outcome.out;
      const std::size_t oid = outcome.err.find("lfs fetch origin ", begin) + 17;
      const std::string line = outcome.err.substr(begin, oid + 40 - begin);
      environment.erase("GIT_LFS_SKIP_SMUDGE");  // the line says so ahead of what is taken here
      EXPECT_TRUE(ended(world.run({"sh", "-c", line}, where, environment), 0)) << line;
    }
    ADD_FAILURE() << "the commands do not mend it";
  }
  CloneWorld world;
};

TEST_F(LfsFiles, ComeWholeWithoutANetwork) {
  const fs::path whole = clone({});
  world.git("clone", {"lfs", "fetch", "--all"});
  fs::rename(world / "origin", world / "gone");
  const Outcome outcome = world.perf_compare(whole, kCompareLfs);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_FALSE(contains(outcome.out, "LFS"));
}

TEST_F(LfsFiles, AreReportedWithTheCommandThatFetchesThem) {
  expect_mended(clone({{"GIT_LFS_SKIP_SMUDGE", "1"}}), {});
}

TEST_F(LfsFiles, ArePointersWhereTheUserSkipsThem) {
  const fs::path pointers = clone({{"GIT_LFS_SKIP_SMUDGE", "1"}});
  const Outcome outcome = world.perf_compare(pointers, kCompareLfs, {{"GIT_LFS_SKIP_SMUDGE", "1"}});
  EXPECT_TRUE(contains(outcome.err,
                       "has LFS pointers instead of files (work.big); hint: unset "
                       "GIT_LFS_SKIP_SMUDGE && git lfs install && git -C "));
  EXPECT_TRUE(contains(unwrapped(outcome.out), "has LFS pointers instead of files"));
  expect_mended(pointers, {{"GIT_LFS_SKIP_SMUDGE", "1"}});
}

TEST_F(LfsFiles, ArePointersWhereGitLfsIsNotConfigured) {
  world.write("home/other", "");
  const std::map<std::string, std::string> other{
      {"GIT_CONFIG_GLOBAL", (world / "home/other").string()}};
  expect_mended(clone(other), other);
}

}  // namespace
}  // namespace perf::test
