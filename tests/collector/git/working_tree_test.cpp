#include <gtest/gtest.h>

#include <sstream>

#include "collector/git/repository.h"
#include "schema/files/content.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using test::run_process;
using test::Scratch;
using test::usage_error_of;

Repository working_tree_at(const fs::path& path) {
  return Repository::open(path, run_process());
}

/// The files of a commit with their modes: "100755 run".
std::vector<std::string> files_of(const fs::path& repository, const std::string& oid) {
  std::istringstream lines(test::git(repository, {"ls-tree", "-r", oid}));
  std::vector<std::string> files;
  for (std::string line; std::getline(lines, line);) {
    files.push_back(line.substr(0, 7) + line.substr(line.find('\t') + 1));
  }
  return files;
}

TEST(WorkingTree, IsHeadWhereNothingChanged) {
  Scratch scratch;
  scratch.write(".gitignore", "*.o\n");
  const std::string head = scratch.commit("a", "1");
  scratch.write("a.o", "ignored");
  scratch.write(".perf-compare/results.db", "ours");
  const Repository repository = working_tree_at(scratch.path());
  EXPECT_EQ(uncommitted_files(repository), std::vector<std::string>{});
  const Revision revision = snapshot(repository);
  EXPECT_EQ(revision.oid, head);
  EXPECT_EQ(revision.name, ".");
  EXPECT_FALSE(revision.dirty);
}

TEST(WorkingTree, TakesEveryKindOfChange) {
  Scratch scratch;
  scratch.write(".gitignore", "*.o\n");
  scratch.write("deleted", "1");
  scratch.write("renamed", "a file long enough to be known again\n");
  scratch.write("run", "#!/bin/sh\n");
  scratch.write("folder/inner", "1");
  scratch.write("unstaged", "1");
  const std::string head = scratch.commit("modified", "1");
  scratch.write("modified", "2");
  scratch.write("staged", "1");
  scratch.git({"add", "staged"});
  fs::remove(scratch.path() / "deleted");
  fs::rename(scratch.path() / "renamed", scratch.path() / "new name");
  fs::permissions(scratch.path() / "run", fs::perms::owner_exec, fs::perm_options::add);
  scratch.git({"rm", "--quiet", "--cached", "unstaged"});
  scratch.write("unstaged", "still here");
  fs::rename(scratch.path() / "folder", scratch.path() / "moved");
  fs::create_directory_symlink("moved", scratch.path() / "folder");  // a link in a folder's place
  scratch.write("\"quoted\"\t\xc3\xa4\n", "odd name");
  scratch.write("ignored.o", "1");
  scratch.write(".perf-compare/results.db", "ours");
  const std::string status = scratch.git({"status", "--porcelain"});
  const std::string index = content_of(scratch.path() / ".git" / "index");

  const Repository repository = working_tree_at(scratch.path());
  const Revision revision = snapshot(repository);
  EXPECT_TRUE(revision.dirty);
  EXPECT_EQ(revision.parents, std::vector<std::string>{head});
  EXPECT_EQ(revision.committed_at, repository.commit(head).committed_at);
  EXPECT_EQ(files_of(scratch.path(), revision.oid),
            (std::vector<std::string>{"100644 \"\\\"quoted\\\"\\t\\303\\244\\n\"",
                                      "100644 .gitignore", "120000 folder", "100644 modified",
                                      "100644 moved/inner", "100644 new name", "100755 run",
                                      "100644 staged", "100644 unstaged"}));
  EXPECT_EQ(repository.read_file(revision.oid, "modified"), "2");
  EXPECT_EQ(repository.read_file(revision.oid, "unstaged"), "still here");

  EXPECT_EQ(content_of(scratch.path() / ".git" / "index"), index) << "the index was touched";
  EXPECT_EQ(scratch.git({"status", "--porcelain"}), status);
  EXPECT_EQ(scratch.git({"for-each-ref", "--contains", revision.oid}), "");
  EXPECT_EQ(snapshot(repository).oid, revision.oid) << "equal trees must give equal ids";
}

TEST(WorkingTree, CountsWhatIsNotCommitted) {
  Scratch scratch;
  scratch.commit("a", "1");
  scratch.write("a", "2");
  scratch.write("staged", "1");
  scratch.git({"add", "staged"});
  scratch.write("folder/one", "1");
  scratch.write("folder/t\xc3\xb6o", "1");
  scratch.git({"add", "folder/t\xc3\xb6o"});
  const Repository repository = working_tree_at(scratch.path() / "folder");
  EXPECT_EQ(uncommitted_files(repository),
            (std::vector<std::string>{"a", "folder/t\xc3\xb6o", "staged"}));
  EXPECT_EQ(repository.read_file(snapshot(repository).oid, "folder/one"), "1");
}

TEST(WorkingTree, TakesConflictsAsTheyStandInTheFiles) {
  Scratch scratch;
  scratch.commit("a", "1");
  scratch.git({"checkout", "--quiet", "-b", "side"});
  scratch.commit("a", "2");
  scratch.git({"checkout", "--quiet", "main"});
  scratch.commit("a", "3");
  EXPECT_THROW(scratch.git({"merge", "--quiet", "side"}), std::runtime_error);
  const Repository repository = working_tree_at(scratch.path());
  EXPECT_EQ(uncommitted_files(repository), std::vector<std::string>{"a"});
  const std::string content = repository.read_file(snapshot(repository).oid, "a").value_or("");
  EXPECT_EQ(content.rfind("<<<<<<<", 0), 0u) << content;
}

TEST(WorkingTree, NoticesAChangeThatLeavesSizeAndTimeAlone) {
  // git's "racy" files: changed in the second in which the index was written. The copy of the index
  // must not be younger than the index.
  Scratch scratch;
  scratch.commit("a", "1");
  const fs::path file = scratch.path() / "a";
  scratch.write("other", "x");
  for (int i = 0; i < 20; ++i) {
    scratch.write("a", "1");
    scratch.git({"add", "a"});
    scratch.write("a", "2");
    const Repository repository = working_tree_at(scratch.path());
    EXPECT_EQ(repository.read_file(snapshot(repository).oid, "a"), "2");
  }
}

TEST(WorkingTree, LeavesNestedRepositoriesAndSubmodulesAlone) {
  Scratch scratch, library;
  const std::string old = library.commit("l", "1");
  library.commit("l", "2");
  scratch.commit("a", "1");
  scratch.git({"submodule", "--quiet", "add", library.path().string(), "sub module"});
  const std::string head = scratch.commit_all("Add a submodule");
  test::git(scratch.path() / "sub module", {"checkout", "--quiet", old});
  const Repository repository = working_tree_at(scratch.path());
  EXPECT_EQ(snapshot(repository).oid, head) << "a moved submodule is no change of ours";
  const std::string named = ", without the changes in sub module";
  EXPECT_TRUE(snapshot(repository).rule.ends_with(named)) << snapshot(repository).rule;
  test::git(scratch.path() / "sub module", {"checkout", "--quiet", "-"});
  EXPECT_FALSE(snapshot(repository).rule.ends_with(named));
  test::write_file(scratch.path() / "sub module" / "l", "uncommitted");
  EXPECT_TRUE(snapshot(repository).rule.ends_with(named)) << snapshot(repository).rule;

  scratch.git({"init", "--quiet", "empty clone"});  // `git add` refuses these
  scratch.git({"clone", "--quiet", library.path().string(), "clone"});
  EXPECT_EQ(snapshot(repository).oid, head);
  scratch.write("a", "2");
  scratch.write("empty clone/file", "1");
  const Revision revision = snapshot(repository);
  EXPECT_TRUE(revision.dirty);
  EXPECT_EQ(scratch.git({"diff", "--name-only", head, revision.oid}), "a");
}

TEST(WorkingTree, TakesWhatASparseCheckoutLeftOutFromTheIndex) {
  Scratch scratch;
  scratch.write("in/a", "1");
  scratch.write("out/b", "1");
  const std::string head = scratch.commit("top", "1");
  for (const std::string sparse_index : {"--no-sparse-index", "--sparse-index"}) {
    scratch.git({"sparse-checkout", "set", "--cone", sparse_index, "in"});
    ASSERT_FALSE(fs::exists(scratch.path() / "out"));
    const Repository repository = working_tree_at(scratch.path());
    EXPECT_EQ(uncommitted_files(repository), std::vector<std::string>{});
    EXPECT_EQ(snapshot(repository).oid, head);
    scratch.write("in/a", "2");
    scratch.write("new/c", "1");  // outside what is checked out
    const Revision revision = snapshot(repository);
    EXPECT_EQ(
        files_of(scratch.path(), revision.oid),
        (std::vector<std::string>{"100644 in/a", "100644 new/c", "100644 out/b", "100644 top"}));
    scratch.write("in/a", "1");
    fs::remove_all(scratch.path() / "new");
  }
}

TEST(WorkingTree, TakesFilesThatGitWasToldToIgnoreChangesOf) {
  Scratch scratch;
  for (const char* name : {"assumed", "deleted", "skipped", "left\nout", "unchanged"}) {
    scratch.write(name, "1");
  }
  const std::string head = scratch.commit("a", "1");
  scratch.git({"update-index", "--assume-unchanged", "assumed", "deleted", "unchanged"});
  scratch.git({"update-index", "--skip-worktree", "skipped", "left\nout", "unchanged"});
  fs::remove(scratch.path() / "left\nout");
  const Repository repository = working_tree_at(scratch.path());
  EXPECT_EQ(snapshot(repository).oid, head);
  scratch.write("assumed", "2");
  scratch.write("skipped", "2");
  fs::remove(scratch.path() / "deleted");
  const std::string index = content_of(scratch.path() / ".git" / "index");
  EXPECT_EQ(uncommitted_files(repository),
            (std::vector<std::string>{"assumed", "deleted", "skipped"}));
  EXPECT_EQ(scratch.git({"diff", "--name-status", head, snapshot(repository).oid}),
            "M\tassumed\nD\tdeleted\nM\tskipped");
  EXPECT_EQ(content_of(scratch.path() / ".git" / "index"), index) << "the index was touched";
}

TEST(WorkingTree, WorksInALinkedWorktreeAndInASplitIndex) {
  Scratch scratch;
  scratch.commit("a", "1");
  scratch.git({"worktree", "add", "--quiet", scratch.beside("linked").string()});
  test::git(scratch.beside("linked"), {"update-index", "--split-index"});
  test::write_file(scratch.beside("linked") / "a", "2");
  const Repository linked = working_tree_at(scratch.beside("linked"));
  EXPECT_EQ(linked.read_file(snapshot(linked).oid, "a"), "2");
  EXPECT_FALSE(snapshot(working_tree_at(scratch.path())).dirty);
}

TEST(WorkingTree, RunsNoHookAndNoMonitor) {
  Scratch scratch;
  scratch.commit("a", "1");
  const std::string touched = scratch.beside("touched").string();
  const fs::path trap = scratch.beside("hooks");
  for (const char* hook : {"pre-commit", "post-index-change", "post-checkout", "monitor"}) {
    test::write_file(trap / hook, "#!/bin/sh\ntouch '" + touched + "'\n");
    fs::permissions(trap / hook, fs::perms::owner_all);
  }
  scratch.git({"config", "core.hooksPath", trap.string()});
  scratch.git({"config", "core.fsmonitor", (trap / "monitor").string()});
  scratch.write("a", "2");
  const Repository repository = working_tree_at(scratch.path());
  uncommitted_files(repository);
  snapshot(repository);
  EXPECT_FALSE(fs::exists(touched));
}

TEST(WorkingTree, NeedsACommit) {
  Scratch scratch;
  scratch.write("a", "1");
  EXPECT_EQ(usage_error_of([&] { snapshot(working_tree_at(scratch.path())); }).what,
            "the repository has no commit yet");
}

}  // namespace
}  // namespace perf
