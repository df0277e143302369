// perf-compare works in all kinds of clones that CI systems and people make, or after running the
// command in its hint.

#include "tests/faults/clones.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <set>

#include "tests/faults/effort.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

/// Commands that people run in a clone, with their exit codes.
struct Task {
  Command command;
  int exit_code;
};
const std::vector<Task> kTasks{
    {{"HEAD~3", "HEAD", "--pairs", "6", "--alpha", "25%", "--metric", "step_time"}, 1},
    {{"baseline", "HEAD", "--pairs", "6", "--alpha", "25%", "--metric", "step_time"}, 0},
    {{"HEAD~3", ".", "--pairs", "6", "--alpha", "25%", "--metric", "step_time"}, 1},
    {{"collect", "HEAD~2..HEAD"}, 0},
    {{"bisect", "HEAD~3", "HEAD", "-w", "claimed", "--metric", "step_time"}, 1},
    {{"pin", "before", "HEAD~1"}, 0},
    {{"trend"}, 0},
    {{"list"}, 0}};
/// Tasks that need no earlier task, but a history.
const std::vector<std::size_t> kFirst{0, 1, 2, 3, 4, 5};
/// Short tasks for the quick form, which need no earlier task.
constexpr std::array<std::size_t, 4> kShort{3, 5, 3, 0};

int clones_tried = 0;
std::set<std::string> kinds_done;

/// `by`: the command that was run before.
void expect_done(const Outcome& outcome, const Task& task, const std::string& of,
                 const std::string& by = {}) {
  const std::string kind = of + (by.empty() ? "" : ": " + by);
  EXPECT_EQ(outcome.exit_code, task.exit_code) << kind << ": " << task.command.front() << "\n"
                                               << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err.find("is broken"), std::string::npos) << kind << outcome.err;
  ++clones_tried;
  kinds_done.insert(of);
}

/// Runs every task; in the quick form one, a different one for each clone.
void expect_works(const CloneWorld& world, const fs::path& clone, const std::string& kind,
                  const std::map<std::string, std::string>& environment = {}) {
  static std::size_t turn = 0;
  for (int i = 0; i < tries(1, static_cast<int>(kTasks.size())); ++i) {
    const std::size_t which =
        tries(1, 2) == 1 ? kShort[turn++ % kShort.size()] : static_cast<std::size_t>(i);
    const Task& task = kTasks[which];
    expect_done(world.perf_compare(clone, task.command, environment), task, kind);
  }
}

/// Each task is refused, and works after the command in the hint; each has a new clone.
void expect_mended(const CloneWorld& world, const std::string& kind, const std::string& what,
                   const std::vector<std::size_t>& tasks, const std::function<fs::path()>& make,
                   const std::map<std::string, std::string>& environment = {}) {
  static std::size_t turn = 0;
  const std::size_t first = turn++;
  for (int i = 0; i < tries(1, static_cast<int>(tasks.size())); ++i) {
    const Task& task = kTasks[tries(1, 2) == 1 ? kShort[first % kShort.size()]
                                               : tasks[static_cast<std::size_t>(i)]];
    const fs::path clone = make();
    const Outcome refused = world.perf_compare(clone, task.command, environment);
    EXPECT_TRUE(refused.exit_code == 2 || refused.exit_code == 3) << kind << refused.err;
    EXPECT_NE(refused.err.find(what), std::string::npos) << kind << refused.err;
    const std::string line = command_to_try(refused.err);
    expect_done(world.mended(clone, line, task.command, environment), task, kind, line);
    fs::remove_all(clone);
  }
}

class Clones : public testing::Test {
 protected:
  Clones() { world.make_subject("origin"); }
  fs::path clone(const std::string& name, Command options = {}) {
    options.insert(options.begin(), {"clone", "-q"});
    options.insert(options.end(), {world.url("origin"), name});
    world.git(".", options);
    return world / name;
  }
  static void TearDownTestSuite() {
    figure("clones", std::to_string(clones_tried) + " commands done in " +
                         std::to_string(kinds_done.size()) +
                         " kinds of clones, at once or after the one to try");
  }
  CloneWorld world;
};

TEST_F(Clones, WorkWithFewerObjectsOrFiles) {
  expect_works(world, clone("whole"), "whole");
  expect_works(world, clone("deep", {"--depth=10"}), "shallow, deep enough");
  expect_works(world, clone("blobless", {"--filter=blob:none"}), "blobless");
  expect_works(world, clone("treeless", {"--filter=tree:0"}), "treeless");
  expect_works(world, clone("sparse", {"--sparse"}), "sparse");
  const fs::path narrow = clone("narrow", {"--filter=blob:none", "--no-checkout"});
  world.git("narrow", {"sparse-checkout", "set", "--no-cone", "/deep/"});
  world.git("narrow", {"checkout", "-q"});
  expect_works(world, narrow, "blobless and sparse, without the config");
  expect_works(world, clone("borrowing", {"--shared"}), "shared");
  world.git(".", {"clone", "-q", "--reference", "whole", world.url("origin"), "referring"});
  expect_works(world, world / "referring", "reference");
}

TEST_F(Clones, WorkInOtherFolders) {
  clone("bare.git", {"--bare"});
  world.git("bare.git", {"worktree", "add", "-q", "../linked", "main"});
  expect_works(world, world / "linked", "worktree of a bare repository");
  expect_works(world, clone("with spaces, \"quotes\" and ünïcode"), "path");
  clone("outer");
  world.git("outer", {"clone", "-q", world.url("origin"), "inner"});
  expect_works(world, world / "outer/inner", "a repository inside a repository");
  expect_works(world, clone("apart", {"--separate-git-dir=" + (world / "apart.git").string()}),
               "separate folder");
  clone("named");
  fs::rename(world / "named/.git", world / "named.git");
  world.write("named/.git", "gitdir: " + (world / "named.git").string() + "\n");
  world.git("named", {"config", "core.worktree", (world / "named").string()});
  expect_works(world, world / "named", "core.worktree");
  clone("detached");
  world.git("detached", {"checkout", "-q", "--detach"});
  expect_works(world, world / "detached", "detached");
  clone("single", {"--single-branch"});
  world.git("single", {"remote", "set-head", "origin", "--delete"});
  world.git("single", {"branch", "-m", "main", "work"});
  expect_works(world, world / "single", "one branch, no origin/HEAD");
  clone("grafted");
  world.git("grafted", {"replace", "--graft", "HEAD", "HEAD~2"});
  expect_works(world, world / "grafted", "grafted");
  clone("stated");
  world.git("stated", {"config", "core.repositoryformatversion", "1"});
  world.git("stated", {"config", "extensions.objectFormat", "sha1"});
  expect_works(world, world / "stated", "object format stated");
  clone("whole");
  expect_works(world, world / "whole/deep", "below the top",
               {{"GIT_CEILING_DIRECTORIES", (world / "elsewhere").string()}});
  const Outcome below = world.perf_compare(
      world / "whole/deep", {"list"}, {{"GIT_CEILING_DIRECTORIES", (world / "whole").string()}});
  EXPECT_EQ(below.exit_code, 2) << "git finds no repository there either";
}

TEST_F(Clones, NeedAFetchWhereTheyAreShallow) {
  const std::string cut = "commit missing in this shallow clone";
  expect_mended(world, "depth 1", cut, kFirst, [&] { return clone("one", {"--depth=1"}); });
  expect_mended(world, "depth 1, partial, sparse", cut, kFirst, [&] {
    return clone("little", {"--depth=1", "--filter=blob:none", "--sparse"});
  });
  expect_mended(world, "another remote", cut, kFirst, [&] {
    return clone("up", {"--depth=1", "--origin=up'stream"});
  });
  world.git("origin", {"checkout", "-q", "-b", "topic"});
  world.git("origin", {"checkout", "-q", "main"});
  expect_mended(world, "one branch", cut, kFirst, [&] {
    return clone("topic", {"--depth=1", "--branch=topic"});
  });
  world.git("origin", {"update-ref", "refs/pull/1/merge", "main"});
  world.git("origin", {"reset", "-q", "--hard", "HEAD~1"});  // no branch has the merge
  expect_mended(world, "pull request", cut, kFirst,
                [&] {  // as actions/checkout does it
                  const std::string merge = "refs/remotes/pull/1/merge";
                  world.git(".", {"init", "-q", "job"});
                  world.git("job", {"remote", "add", "origin", world.url("origin")});
                  world.git("job",
                            {"fetch", "-q", "--no-tags", "--prune", "--no-recurse-submodules",
                             "--depth=1", "origin", "+refs/pull/1/merge:" + merge});
                  world.git("job", {"checkout", "-q", "--force", merge});
                  return world / "job";
                });
}

TEST_F(Clones, NeedAFetchWhereTheyLackAName) {
  world.git("origin", {"branch", "release", "HEAD~3"});
  world.git("origin", {"tag", "v1", "HEAD~3"});
  for (const char* kind : {"--depth=1", "--single-branch"}) {
    const fs::path lacking = clone("lacking", {kind, "--no-tags"});
    const Command compare{"v1", "HEAD", "--pairs", "6", "--alpha", "25%", "--metric", "step_time"};
    const Outcome refused = world.perf_compare(lacking, compare);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    expect_done(world.mended(lacking, command_to_try(refused.err), compare), {compare, 1},
                std::string("without a name: ") + kind);
    const Outcome meant = world.perf_compare(lacking, {"release", "HEAD"});
    EXPECT_NE(meant.err.find("did you mean 'origin/release'?"), std::string::npos) << meant.err;
    fs::remove_all(lacking);
  }
}

TEST_F(Clones, NeedAnotherCloneWhereTheyCannotBeMeasured) {
  expect_mended(world, "bare", "the repository is bare", kFirst, [&] {
    fs::remove_all(world / "bare");
    return clone("bare.git", {"--bare"});
  });
  expect_mended(world, "bare, hidden", "the repository is bare", kFirst, [&] {
    fs::remove_all(world / "folder");
    world.git(".", {"clone", "-q", "--bare", world.url("origin"), "folder/.bare"});
    world.write("folder/.git", "gitdir: ./.bare\n");
    return world / "folder";
  });
  world.make_subject("sha256 repository", {"--object-format=sha256"});
  const fs::path copy = world / "sha256 clone-sha1";
  const auto sha256 = [&] {
    fs::remove_all(copy);
    world.git(".", {"clone", "-q", world.url("sha256 repository"), "sha256 clone"});
    return world / "sha256 clone";
  };
  expect_mended(world, "SHA-256", "SHA-256", kFirst, sha256);
  expect_mended(world, "SHA-256, detached", "SHA-256", {0, 3, 5}, [&] {
    const fs::path detached = sha256();
    world.git("sha256 clone", {"checkout", "-q", "--detach"});
    return detached;
  });
}

TEST_F(Clones, NeedTheirReferencesConverted) {
  const fs::path made = clone("reftable");
  world.git("reftable", {"config", "core.repositoryformatversion", "1"});
  world.git("reftable", {"config", "extensions.refStorage", "reftable"});
  const Outcome refused = world.perf_compare(made, {"list"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_EQ(command_to_try(refused.err),
            "git -C " + made.string() + " refs migrate --ref-format=files");
}

TEST_F(Clones, NeedSafeDirectoryUnderAnotherOwner) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can give files away";
  }
  expect_mended(world, "another owner", "belongs to another user", kFirst, [&] {
    world.write("home/gitconfig", "[user]\n\tname = N\n\temail = n@example.com\n");
    const fs::path foreign = clone("foreign folder");
    world.run({"chown", "-R", "12345:12345", foreign.string()}, world / "home");
    return foreign;
  });
}

TEST_F(Clones, NeedTheirOriginWhereTheyArePartial) {
  const fs::path partial = clone("partial", {"--filter=blob:none"});
  fs::rename(world / "origin", world / "moved");
  const Task& task = kTasks[0];
  const Outcome refused = world.perf_compare(partial, task.command);
  EXPECT_NE(refused.err.find("this partial clone"), std::string::npos) << refused.err;
  std::string line = command_to_try(refused.err);
  line.replace(line.find("URL"), 3, world.url("moved"));
  expect_done(world.mended(partial, line, task.command), task, "partial, its origin moved", line);
}

}  // namespace
}  // namespace perf::test
