// A checked-out tree, and the settings of the one clone it stands in, name programs in every way
// that git and its friends know. The real perf-compare runs none of them.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"
#include "tests/faults/effort.h"
#include "tests/faults/trapped_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

TEST(Trees, RunNothingInAnyCommand) {
  TrappedRepository repository;
  const bool thorough = tries(0, 1) > 0;  // what takes longer to measure
  EXPECT_TRUE(
      ended(repository.unsprung({"HEAD~2", "HEAD", "--pairs", "12", "--profile-changes"}), 1));
  EXPECT_TRUE(ended(repository.unsprung({"collect", "HEAD"}), 0));
  EXPECT_TRUE(ended(repository.unsprung({"bisect", "HEAD~2", "HEAD", "-w", "claimed"}), 1));
  repository.unsprung({"profile", "-w", "claimed"});
  if (thorough) {
    EXPECT_EQ(repository.unsprung({"collect", "HEAD~2..HEAD", "--missing"}).exit_code, 0);
    repository.unsprung({"HEAD~2", "HEAD", "--pairs", "12", "--count", "--control"});
    repository.unsprung({"selftest", "--pairs", "24"});
    repository.unsprung({"calibrate", "--pairs", "12"});
  }
  EXPECT_EQ(repository.unsprung({"pin", "release", "HEAD~1"}).exit_code, 0);
  EXPECT_EQ(repository.unsprung({"show", "HEAD"}).exit_code, 0);
  EXPECT_EQ(repository.unsprung({"trend"}).exit_code, 0);
  EXPECT_EQ(repository.unsprung({"report"}).exit_code, 1);
  repository.unsprung({"judge", "HEAD~2", "HEAD"});
  EXPECT_EQ(repository.unsprung({"list"}).exit_code, 0);
  EXPECT_EQ(repository.unsprung({"doctor"}).exit_code, 0);
  fs::remove(repository.path() / "perf-compare.json");
  repository.unsprung({"init"});
  figure("trees", std::to_string(repository.runs) + " commands, none ran what it met");
}

TEST(Trees, RunNothingInASnapshot) {
  TrappedRepository repository;
  repository.write("data", "three, of another length\n");
  repository.write("weights", "2\n");
  // From elsewhere: git itself would run what this clone's config names.
  run({"git", "clone", "-q", repository.path(), repository.path() / "sub"},
      repository.path().parent_path());
  ASSERT_EQ(repository.traps.sprung(), std::vector<std::string>{});
  std::ofstream(repository.path() / "sub" / ".git" / "config", std::ios::app)
      << repository.settings("submodule");
  repository.write("sub/data", "changed\n");
  repository.write("fresh", "not committed\n");
  ASSERT_EQ(mkfifo((repository.path() / "pipe").c_str(), 0600), 0);
  const Outcome outcome = repository.unsprung({"HEAD", ".", "--pairs", "12", "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\"dirty\": true"));
}

TEST(Trees, RunTheUsersLfs) {
  ScratchRepository repository;
  repository.write("perf-compare.json", kClaimedConfig);
  repository.write("bench", kClaimedBenchmark, true);
  repository.write("work", "100");
  repository.write("model.bin", "pointer\n");
  repository.write(".gitattributes", "*.bin filter=lfs\n");
  repository.commit("Add a model");
  const Traps traps(repository.path().parent_path() / "traps");
  const fs::path settings = repository.path().parent_path() / "gitconfig";
  std::ofstream(settings) << "[filter \"lfs\"]\n\tclean = " << traps.lay("clean")
                          << "\n\tsmudge = " << traps.lay("smudge") << "\n\trequired = true\n";
  repository.write("model.bin", "another pointer\n");
  const Outcome outcome =
      repository.perf_compare({"HEAD", ".", "--pairs", "12"}, {{"GIT_CONFIG_GLOBAL", settings}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(traps.sprung(), (std::vector<std::string>{"clean", "smudge"}));
}

TEST(Trees, RunNothingToReachAHub) {
  TrappedRepository repository;
  const fs::path remote = repository.path().parent_path() / "remote.git";
  run({"git", "init", "-q", "--bare", remote}, repository.path().parent_path());
  std::ofstream(repository.path() / ".git" / "config", std::ios::app)
      << "[remote \"origin\"]\n\turl = " << remote.string() << "\n";
  EXPECT_EQ(repository.unsprung({"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  const Outcome pushed = repository.unsprung({"push", "git:origin"});
  EXPECT_EQ(pushed.exit_code, 0) << pushed.err;
  expect_says(pushed.out, "pushed 1 run");
  EXPECT_EQ(repository.unsprung({"pull", "git:origin"}).exit_code, 0);
}

/// Submodules are checked out where a config asks for them; what .gitmodules says is the tree's.
TEST(Trees, RunNothingThatASubmoduleNames) {
  TrappedRepository repository;
  repository.write("perf-compare.json",
                   R"({"build": {"command": ["true"], "submodules": true},
                       "workloads": [{"name": "claimed", "command": ["./bench"]}]})");
  const std::string update = "update = !" + repository.traps.lay("update");
  for (const std::string& entry :
       {"sub\"]\n\tpath = sub\n\turl = ext::" + repository.traps.lay("url"),
        "sub\"]\n\tpath = sub\n\turl = -u" + repository.traps.lay("option"),
        "sub\"]\n\tpath = sub\n\turl = ../repository\n\t" + update,
        "../../hooks\"]\n\tpath = sub\n\turl = ../repository\n\t" + update,
        "x\"]\n\tpath = .git/hooks\n\turl = ../repository\n\t" + update}) {
    repository.write(".gitmodules", "[submodule \"" + entry + "\n");
    run({"git", "-c", "filter.trap.clean=", "-c", "filter.trap.required=false", "-c",
         "filter.lfs.clean=", "-c", "filter.lfs.process=", "-c", "core.hooksPath=/dev/null", "-c",
         "core.fsmonitor=false", "-c", "commit.gpgSign=false", "commit", "-qam",
         "Name a submodule"},
        repository.path());
    EXPECT_TRUE(ended(repository.unsprung({"collect", "HEAD"}), 3)) << entry;
  }
}

/// A folder that is laid out like a repository of its own, and names programs in its config.
TEST(Trees, RunNothingOfANestedRepository) {
  TrappedRepository repository;
  const fs::path nested = repository.path() / "nested";
  repository.git({"clone", "-q", "--bare", repository.path().string(), nested.string()});
  for (const std::string& hook : hook_names()) {
    repository.traps.lay("nested-hook-" + hook, nested / "hooks" / hook);
  }
  for (const char* place : {"bare = true", "bare = false\n\tworktree = ..", "bare = false"}) {
    std::ofstream(nested / "config") << "[core]\n\trepositoryformatversion = 0\n\t" << place << "\n"
                                     << repository.settings("nested");
    for (const char* command : {"HEAD", "."}) {
      EXPECT_TRUE(ended(repository.unsprung({"-C", "nested", "HEAD~2", command}), 2));
    }
  }
}

}  // namespace
}  // namespace perf::test
