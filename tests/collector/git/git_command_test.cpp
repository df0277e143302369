#include "collector/git/git_command.h"

#include <gtest/gtest.h>

#include "schema/error.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

TEST(GitCommand, UndoesTheQuotingOfPaths) {
  EXPECT_EQ(unquote_path("plain name"), "plain name");
  EXPECT_EQ(unquote_path(R"("a\tb\\c\"d\n")"), "a\tb\\c\"d\n");
  EXPECT_EQ(unquote_path(R"("\303\244")"), "\xc3\xa4");
  EXPECT_EQ(unquote_path(R"("\001\377")"), "\x01\xff");
  // Nothing that git writes, and nothing to fall over.
  EXPECT_EQ(unquote_path(""), "");
  EXPECT_EQ(unquote_path("\""), "\"");
  EXPECT_EQ(unquote_path("\"\\\""), "\\");
  unquote_path("\"\\3\"");
}

TEST(GitCommand, SaysThatGitIsNotThere) {
  const RunProcess absent = [](const ProcessRequest&) {
    ProcessResult result;
    result.spawn_error = "git: no such file or directory";
    return result;
  };
  EXPECT_THROW(run_git(absent, {{"status"}, "/"}), Error);
}

TEST(GitCommand, GivesGitsLastWordsWhenItFails) {
  const test::Scratch scratch;
  const Error error = test::error_of([&] {
    git_output(test::run_process(), {{"cat-file", "blob", "nonsense"}, scratch.path()},
               "cannot read");
  });
  EXPECT_EQ(error.what, "cannot read");
  EXPECT_NE(error.subject.find("nonsense"), std::string::npos) << error.subject;
}

}  // namespace
}  // namespace perf
