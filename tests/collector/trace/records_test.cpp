#include <gtest/gtest.h>

#include <random>

#include "collector/process/temporary_folder.h"
#include "collector/process/whole_file.h"
#include "collector/trace/program.h"
#include "schema/files/content.h"
#include "tests/collector/git/scratch.h"
#include "tests/collector/trace/side_by_side.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// A text with some bytes changed, or without its end.
std::string damaged(std::string text, std::mt19937& random) {
  for (int changes = static_cast<int>(random() % 4); changes > 0; --changes) {
    text[random() % text.size()] = static_cast<char>(random() % 3 == 0 ? '\0' : random());
  }
  return text.substr(0, text.size() - (random() % 2 == 0 ? random() % text.size() : 0));
}

struct Tree {
  TemporaryFolder folder;
  fs::path root = folder.path() / "tree";
  Tree() {
    test::write_file(root / "in" / "a\nb", "one");
    test::write_file(root / "data \xff", "");
    test::write_file(root / ".git" / "HEAD", "x");
    fs::create_symlink("data", root / "link");
  }
};

TEST(BuiltTree, IsReadAsItWasWritten) {
  const Tree tree;
  const CheckedOut before = checked_out_tree(tree.root, 12345);
  test::write_file(tree.root / "in" / "made", "");
  const auto built = read_built_tree(built_tree_text(tree.root, before));
  ASSERT_TRUE(built);
  EXPECT_EQ(built->began, 12345);
  EXPECT_LT(built->files.at("in/a\nb").modified, built->checked_out);
  EXPECT_GT(built->files.at("in/made").modified, built->checked_out);
  EXPECT_TRUE(built->files.at("in/a\nb").is_of_commit);
  EXPECT_FALSE(built->files.at("in/made").is_of_commit);
  std::vector<std::string> names;
  for (const auto& [name, file] : built->files) {
    names.push_back(name);
    const auto now = built_file_at(tree.root / name);
    ASSERT_TRUE(now) << name;
    EXPECT_EQ(file.mode, now->mode) << name;
    EXPECT_EQ(file.size, now->size) << name;
    EXPECT_EQ(file.changed, now->changed) << name;
    EXPECT_EQ(file.number, now->number) << name;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{".git", "data \xff", "in", "in/a\nb", "in/made", "link"}));
  EXPECT_TRUE(built->files.at("in").is_folder());
  EXPECT_TRUE(built->files.at("link").is_link());
  EXPECT_TRUE(built->files.at("in/a\nb").is_file());
  EXPECT_EQ(built_tree_text(tree.root / "nothing", {}), "");
}

TEST(BuiltTree, IsNotReadFromATruncatedText) {
  const Tree tree;
  const std::string text = built_tree_text(tree.root, {12345, 12346});
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(read_built_tree(text.substr(0, length))) << length;
  }
  EXPECT_FALSE(read_built_tree(text + "x"));
  EXPECT_FALSE(read_built_tree("something else"));
}

TEST(BuiltTree, ToleratesDamagedText) {
  const Tree tree;
  const std::string text = built_tree_text(tree.root, {12345, 12346});
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    read_built_tree(damaged(text, random));
  }
}

class KeptTraces : public test::NeedsTracing {};

TEST_F(KeptTraces, KeepsTheTraceAndRepeatsItWhereItIsDamaged) {
  const Tree tree;
  Workload workload;
  workload.name = "w";
  workload.format = "process";
  workload.command = {"cat", "in/a\nb"};
  const Checkout checkout{tree.root, "", ""};
  int started = 0;
  test::run_process();  // the first changes HOME, and the key of a trace holds all variables
  const RunProcess run = [&started](ProcessRequest request) {
    ++started;
    return test::run_process()(request);
  };
  const TracedRun first = run_traced(workload, checkout, {}, run);
  ASSERT_TRUE(first.invocation.ok()) << first.invocation.failure;
  const TracedRun kept = run_traced(workload, checkout, {}, run);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(kept.trace.asked, first.trace.asked);
  EXPECT_EQ(kept.trace.executed, first.trace.executed);
  EXPECT_EQ(kept.trace.made, first.trace.made);
  EXPECT_EQ(kept.trace.doubts, first.trace.doubts);
  EXPECT_TRUE(kept.trace.asked.contains((tree.root / "in/a\nb").string()));

  // A damaged file is ignored or read as it is; it never does harm.
  fs::path file;
  for (const auto& entry : fs::recursive_directory_iterator(tree.folder.path() / "traces")) {
    file = entry.path();
  }
  const std::string text = content_of(file);
  test::write_file(file, text.substr(0, text.size() - 4));
  run_traced(workload, checkout, {}, run);
  EXPECT_EQ(started, 2) << "a truncated trace is made again";
  std::mt19937 random(7);
  const RunProcess cannot = [](ProcessRequest) {
    ProcessResult result;
    result.spawn_error = "no";
    return result;
  };
  for (int i = 0; i < 300; ++i) {
    test::write_file(file, damaged(text, random));
    run_traced(workload, checkout, {}, cannot);
  }
  Invocation other;
  other.seed = 5;
  test::write_file(file, text);
  run_traced(workload, checkout, other, run);
  EXPECT_EQ(started, 3) << "another seed needs another trace";

  setenv("BUILD_NUMBER", "7", 1);
  run_traced(workload, checkout, other, run);
  EXPECT_EQ(started, 3) << "a job's number is not given to workloads";
  for (std::uint64_t seed = 6; seed < 30; ++seed) {
    other.seed = seed;
    run_traced(workload, checkout, other, run);
  }
  const fs::recursive_directory_iterator all(tree.folder.path() / "traces");
  EXPECT_LT(std::distance(begin(all), end(all)), 10) << "old traces are removed";
  started = 0;
  run_traced(workload, checkout, other, run);
  EXPECT_EQ(started, 0) << "the latest stays";
}

TEST(RunTraced, RemembersTheSeed) {
  const Tree tree;
  const Checkout checkout{tree.root, "", ""};
  EXPECT_EQ(traced_with_seed(checkout), std::nullopt);
  remember_seed(checkout, 18446744073709551615u);
  EXPECT_EQ(traced_with_seed(checkout), 18446744073709551615u);
}

}  // namespace
}  // namespace perf
