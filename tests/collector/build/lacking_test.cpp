#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "collector/build/checkout_tree.h"
#include "tests/collector/git/scratch.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

/// A repository with a tracked, an untracked and an ignored file, and a checkout without them.
struct FilesNotInGitTest : testing::Test {
  FilesNotInGitTest() {
    scratch.write(".gitignore", "data/\n");
    scratch.commit("tracked.txt", "x");
    scratch.write("untracked.txt", "x");
    scratch.write("data/model.bin", "x");
    fs::create_directories(tree);
  }

  FilesNotInGit found(const std::string& text, const fs::path& folder = {}) {
    return files_not_in_git(Repository::open(scratch.path(), run_process()), tree, text, folder);
  }

  Scratch scratch;
  fs::path tree = scratch.beside("tree");
};

TEST_F(FilesNotInGitTest, AreNamedByMessagesAndCommands) {
  for (const std::string text :
       {"No such file or directory: 'data/model.bin'", "./bench --data=./data/model.bin",
        "cannot open data/model.bin.", "data/model.bin:1: gone", "(data/model.bin)"}) {
    const FilesNotInGit files = found(text);
    EXPECT_EQ(files.paths, Paths{"data/model.bin"}) << text;
    EXPECT_TRUE(files.ignored) << text;
  }
  EXPECT_EQ(found("no " + (tree / "data/model.bin").string()).paths, Paths{"data/model.bin"});
  EXPECT_EQ(found("no model.bin", "data").paths, Paths{"data/model.bin"});
}

TEST_F(FilesNotInGitTest, AreUntrackedOnesToo) {
  const FilesNotInGit files = found("python3 untracked.txt");
  EXPECT_EQ(files.paths, Paths{"untracked.txt"});
  EXPECT_FALSE(files.ignored);
  EXPECT_EQ(found("untracked.txt data/model.bin").paths, Paths{"data/model.bin"})
      << "ignored ones are the likelier reason";
}

TEST_F(FilesNotInGitTest, AreNoOthers) {
  EXPECT_EQ(found("no tracked.txt").paths, Paths{}) << "a commit may lack it";
  EXPECT_EQ(found("no such/file model.bin ../data/model.bin . / ").paths, Paths{});
  EXPECT_EQ(found((scratch.path() / "data/model.bin").string()).paths, Paths{}) << "it is there";
  fs::create_directories(tree / "data");
  test::write_file(tree / "data/model.bin", "x");
  EXPECT_EQ(found("bad data/model.bin").paths, Paths{}) << "the checkout has it";
  scratch.git({"init", "-q", "inner"});
  scratch.write("inner/file", "x");
  EXPECT_EQ(found("no inner/file").paths, Paths{}) << "of another repository";
}

TEST_F(FilesNotInGitTest, AreNoPatterns) {
  EXPECT_EQ(found(":(glob)** *.txt unt*.txt").paths, Paths{});
}

}  // namespace
}  // namespace perf::test
