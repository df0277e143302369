// Submodules: empty unless the config asks for them, and then from what the user's clone has.

#include <gtest/gtest.h>

#include <fstream>

#include "tests/ci/claimed_benchmark.h"
#include "tests/contains.h"
#include "tests/faults/clones.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kCompareModules{"HEAD~1",  "HEAD", "--pairs",  "6",
                                               "--alpha", "25%",  "--metric", "step_time"};

/// A subject whose speed is told by a submodule of its submodule: 100 ms, then 130 ms.
class Submodules : public testing::Test {
 protected:
  Submodules() {
    std::ofstream(world / "home/gitconfig", std::ios::app)
        << "[protocol \"file\"]\n\tallow = always\n";
    world.git(".", {"init", "-q", "inner"});
    world.git(".", {"init", "-q", "library"});
    world.git(".", {"init", "-q", "subject"});
    world.write("subject/bench", kClaimedBenchmark, true);
    world.write("inner/work", "100");
    world.commit("inner", "Work");
    world.git("library", {"submodule", "--quiet", "add", "../inner", "inner"});
    world.commit("library", "Add inner");
    world.git("subject", {"submodule", "--quiet", "add", "../library", "libs/the library"});
  }

  /// Two commits with this `build`; the second's submodules are slower.
  void commit_with(const std::string& build) {
    world.write("subject/perf-compare.json",
                "{ \"build\": " + build +
                    ", \"workloads\": [{ \"name\": \"claimed\", \"command\": [\"./bench\"] }] }\n");
    world.commit("subject", "Config");
    world.write("inner/work", "130");
    world.commit("inner", "Slower");
    world.git("library/inner", {"pull", "-q", "origin", "main"});
    world.commit("library", "Slower");
    world.git("subject/libs/the library", {"pull", "-q", "origin", "main"});
    world.commit("subject", "Slower");
  }
  fs::path clone(const std::vector<std::string>& options) {
    world.git(".", with_more({"clone", "-q", world.url("subject"), "clone"}, options));
    return world / "clone";
  }
  CloneWorld world;
};

const std::string kCopy = R"("command": ["cp", "libs/the library/inner/work", "work"])";

TEST_F(Submodules, StayEmptyUnlessConfigured) {
  commit_with("{ " + kCopy + " }");
  const Outcome outcome = world.perf_compare(clone({"--recurse-submodules"}), kCompareModules);
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_TRUE(contains(unwrapped(outcome.out),
                       R"(hint: its submodules are empty (libs/the library): add )"
                       R"("submodules": true to "build" in its perf-compare.json)"))
      << outcome.out;
}

TEST_F(Submodules, ComeFromTheUsersClone) {
  commit_with("{ " + kCopy + ", \"submodules\": true }");
  const fs::path subject = clone({"--recurse-submodules"});
  world.git("clone", {"submodule", "foreach", "--quiet", "--recursive", "git fetch -q --all"});
  for (const char* gone : {"subject", "library", "inner"}) {
    fs::rename(world / gone, world / (std::string("gone-") + gone));
  }
  const Outcome outcome = world.perf_compare(subject, kCompareModules);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "claimed is slower: step_time 100 ms -> 1"));
}

TEST_F(Submodules, ComeFromTheirOriginWhereTheCloneHasNone) {
  world.write("subject/bench",
              "#!/bin/sh\ncp 'libs/the library/inner/work' work\n" +
                  kClaimedBenchmark.substr(kClaimedBenchmark.find('\n') + 1),
              true);
  commit_with("{ \"submodules\": true }");
  EXPECT_TRUE(ended(world.perf_compare(clone({}), {"collect", "HEAD"}), 0));
}

TEST_F(Submodules, ComeFromTheirOriginWhereTheyAreShallow) {
  commit_with("{ " + kCopy + ", \"submodules\": true }");
  const fs::path subject = clone({"--depth=1", "--recurse-submodules", "--shallow-submodules"});
  const Outcome refused = world.perf_compare(subject, kCompareModules);
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  const Outcome outcome = world.mended(subject, command_to_try(refused.err), kCompareModules);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "claimed is slower: step_time 100 ms -> 1"));
}

TEST_F(Submodules, AreRefusedWithTheCommandThatFetchesThem) {
  commit_with("{ " + kCopy + ", \"submodules\": true }");
  const fs::path subject = clone({"--depth=1", "--no-single-branch"});
  world.git("clone", {"fetch", "-q", "--unshallow"});
  // git's own rule: submodules do not come from local addresses unless the user says so.
  const std::map<std::string, std::string> never{{"GIT_CONFIG_GLOBAL", "/dev/null"}};
  const Outcome refused = world.perf_compare(subject, kCompareModules, never);
  EXPECT_EQ(refused.exit_code, 3) << refused.out;
  EXPECT_TRUE(contains(refused.err, "cannot check out the submodules: "));
  const std::string said = refused.err.substr(refused.err.rfind("hint: ") + 6);
  const std::string line = said.substr(0, said.find('\n'));
  EXPECT_TRUE(ended(world.run({"sh", "-c", line}, world / "home"), 0)) << line;
  EXPECT_EQ(world.perf_compare(subject, kCompareModules, never).exit_code, 1) << line;
}

TEST_F(Submodules, RunNothingOfAStranger) {
  const std::string mark = (world / "mark").string();
  int attacks = 0;
  for (const char* build : {R"({ "command": ["true"] })", R"({ "submodules": true })"}) {
    commit_with(build);
    std::ofstream(world / "subject/.gitmodules", std::ios::app)
        << "[submodule \"../../x\"]\n\tpath = libs/other\n\turl = ext::touch% " << mark
        << "\n\tupdate = !touch " << mark << "\n[submodule \"y\"]\n\tpath = libs/y\n\turl = -u"
        << mark << "\n[submodule \"libs/the library\"]\n\tupdate = !touch " << mark << "\n";
    world.git("subject", {"update-index", "--add", "--cacheinfo",
                          "160000," + world.git("inner", {"rev-parse", "HEAD"}) + ",libs/other"});
    world.run({"git", "commit", "-q", "-m", "Attack", "--", ".gitmodules", "libs/other"},
              world / "subject");
    world.run({"git", "commit", "-q", "-a", "-m", "Attack"}, world / "subject");
    const Outcome outcome = world.perf_compare(clone({}), {"collect", "HEAD"});
    const bool with_submodules = ++attacks == 2;
    EXPECT_EQ(outcome.out.find("cannot check out the submodules") != std::string::npos,
              with_submodules)
        << outcome.out;
    EXPECT_FALSE(fs::exists(mark)) << build;
    fs::remove_all(world / "clone");
    world.git("subject", {"reset", "-q", "--hard", "HEAD~1"});
    world.write("inner/work", "100");
    world.commit("inner", "Fast again");
  }
}

TEST_F(Submodules, AreMeasuredAsRepositories) {
  world.make_subject("measured");
  world.git("subject", {"submodule", "--quiet", "add", "../measured", "measured"});
  world.commit("subject", "Add");
  EXPECT_EQ(world.perf_compare(world / "subject/measured", {"collect", "HEAD~2..HEAD"}).exit_code,
            0);
}

}  // namespace
}  // namespace perf::test
