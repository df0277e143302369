#include "collector/git/git_command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "schema/error.h"
#include "schema/files/content.h"
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

TEST(GitCommand, ReportsMissingGit) {
  const RunProcess absent = [](const ProcessRequest&) {
    ProcessResult result;
    result.spawn_error = "git: no such file or directory";
    return result;
  };
  EXPECT_THROW(run_git(absent, {{"status"}, "/"}), Error);
}

TEST(GitCommand, ReportsGitsLastLineWhenItFails) {
  const test::Scratch scratch;
  const Error error = test::error_of([&] {
    git_output(test::run_process(), {{"cat-file", "blob", "nonsense"}, scratch.path()},
               "cannot read");
  });
  EXPECT_EQ(error.what, "cannot read");
  EXPECT_NE(error.subject.find("nonsense"), std::string::npos) << error.subject;
}

TEST(GitCommand, KeepsCredentialsOutOfMessagesAndLogs) {
  const test::Scratch scratch;
  std::string said = "fatal: clone of 'https://u:SECRET@host/x' failed\n";
  const RunProcess failing = [&](const ProcessRequest& request) {
    EXPECT_TRUE(request.log.empty());  // it would have all
    ProcessResult result;
    result.exit_code = 1;
    result.stdout_text = "Entering https://SECRET@host/x\n";
    result.stderr_text = said.substr(said.size() - std::min(said.size(), request.stderr_limit));
    return result;
  };
  GitRequest request{{"submodule", "update"}, scratch.path()};
  request.log = scratch.beside("log");
  const Error error = test::error_of([&] { git_output(failing, request, "cannot clone"); });
  EXPECT_EQ(error.subject, "fatal: clone of 'https://host/x' failed");
  EXPECT_EQ(content_of(request.log), "Entering https://host/x\n" + error.subject + "\n");

  // What was cut off ends within a URL.
  said = "https://u:SECRET@host/" + std::string((1 << 20) - 10, 'x') + "\nlast words\n";
  EXPECT_EQ(run_git(failing, {{"status"}, scratch.path()}).stderr_text, "\nlast words\n");
}

/// A setting of the clone, and the value with which git runs there.
TEST(OwnCommands, AreReplacedByThoseOfTheUser) {
  test::Scratch scratch;
  scratch.commit("a", "1");
  const std::filesystem::path global = scratch.beside("gitconfig");
  test::write_file(global, "[core]\n\tsshCommand = users-ssh\n[credential]\n\thelper = users\n");
  const RunProcess with_settings = [&](ProcessRequest request) {
    request.environment.emplace_back("GIT_CONFIG_GLOBAL", global.string());
    return test::run_process()(request);
  };
  const std::array<std::array<const char*, 3>, 10> settings{{
      {"filter.x.clean", "own", ""},
      {"filter.x.required", "true", "false"},
      {"filter.lfs.process", "own", "git-lfs filter-process"},
      {"core.sshcommand", "own", "users-ssh"},
      {"core.askpass", "own", ""},
      {"core.alternaterefscommand", "own", ":"},
      {"protocol.ext.allow", "always", "never"},
      {"credential.https://host.helper", "own", "own"},
      {"credential.helper", "own", "users"},
      {"user.name", "own", "own"},
  }};
  for (const auto& [key, own, value] : settings) {
    scratch.git({"config", key, own});
  }
  const Repository repository = Repository::open(scratch.path(), with_settings);
  for (const auto& [key, own, value] : settings) {
    EXPECT_EQ(git_line(repository.process(), {{"config", "--get", key}, repository.workdir()}),
              value)
        << key;
  }
  const std::string helpers = git_output(
      repository.process(), {{"config", "--get-all", "credential.helper"}, repository.workdir()},
      "no helpers");
  EXPECT_TRUE(helpers.ends_with("\n\nusers\n"))
      << "the empty one forgets those before: " << helpers;
  scratch.git({"config", "lfs.extension.x.clean", "own"});
  const Repository extended = Repository::open(scratch.path(), with_settings);
  EXPECT_EQ(test::error_of([&] { uncommitted_files(extended); }).subject, "lfs.extension.x.clean");

  scratch.git({"config", "--unset", "lfs.extension.x.clean"});
  scratch.git({"config", "remote.origin.uploadpack", "own"});
  uncommitted_files(Repository::open(scratch.path(), run_process()));
  scratch.git({"config", "remote.origin.promisor", "true"});
  const Repository partial = Repository::open(scratch.path(), run_process());
  EXPECT_EQ(test::error_of([&] { uncommitted_files(partial); }).subject, "remote.origin.uploadpack")
      << "any command may fetch what is missing";
}

}  // namespace
}  // namespace perf
