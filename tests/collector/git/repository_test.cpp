#include "collector/git/repository.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

using test::error_of;
using test::run_process;
using test::Scratch;
using test::usage_error_of;

Repository repository_at(const std::filesystem::path& path) {
  return Repository::open(path, run_process());
}

/// A variable of this process, set back at the end.
struct Variable {
  Variable(const char* variable, const std::string& value) : name(variable) {
    if (const char* old = std::getenv(name)) {
      before = old;
    }
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  const char* name;
  std::optional<std::string> before;
};

TEST(Repository, FillsEveryFieldOfARevision) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  const std::string second = scratch.commit("b", "2");
  const Revision revision = resolve(repository_at(scratch.path()), "HEAD");
  EXPECT_EQ(revision.oid, second);
  EXPECT_EQ(revision.parents, std::vector<std::string>{first});
  EXPECT_EQ(revision.committed_at, 1700000000 + 2 * 86400);
  EXPECT_EQ(revision.author, "Ada");
  EXPECT_EQ(revision.subject, "Write b");
  EXPECT_EQ(revision.name, "HEAD");
  EXPECT_EQ(revision.rule, "HEAD, on branch main");
  EXPECT_FALSE(revision.dirty);
}

TEST(Repository, ResolvesWhateverGitResolves) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  const std::string second = scratch.commit("a", "2");
  scratch.git({"tag", "light", first});
  scratch.git({"tag", "-a", "annotated", "-m", "a release", first});
  scratch.git({"tag", "-a", "twice", "-m", "a tag of a tag", "annotated"});
  scratch.git({"branch", "feature/x", first});
  scratch.git({"update-ref", "refs/remotes/origin/main", first});
  const Repository repository = repository_at(scratch.path());
  const std::vector<std::pair<std::string, std::string>> names{
      {"light", "tag light"},
      {"annotated", "tag annotated"},
      {"twice", "tag twice"},
      {"feature/x", "branch feature/x"},
      {"refs/heads/feature/x", "branch feature/x"},
      {"origin/main", "remote branch origin/main"},
      {"HEAD~1", "git revision HEAD~1"},
      {"main^", "git revision main^"},
      {"annotated^{commit}", "git revision annotated^{commit}"},
      {first.substr(0, 9), "git revision " + first.substr(0, 9)},
      {first, "commit id"}};
  for (const auto& [name, rule] : names) {
    const Revision revision = resolve(repository, name);
    EXPECT_EQ(revision.oid, first) << name;
    EXPECT_EQ(revision.rule, rule) << name;
    EXPECT_EQ(revision.name, name);
  }
  EXPECT_EQ(resolve(repository, "@").oid, second);
}

TEST(Repository, ResolvesADetachedHead) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  scratch.commit("a", "2");
  scratch.git({"checkout", "--quiet", first});
  const Revision revision = resolve(repository_at(scratch.path()), "HEAD");
  EXPECT_EQ(revision.oid, first);
  EXPECT_EQ(revision.rule, "HEAD, detached");
}

TEST(Repository, SuggestsTheNearestName) {
  Scratch scratch;
  scratch.commit("a", "1");
  scratch.git({"tag", "v1.20"});
  const Repository repository = repository_at(scratch.path());
  const Error typo = usage_error_of([&] { resolve(repository, "v1.2O"); });
  EXPECT_EQ(typo.what, "no such revision");
  EXPECT_EQ(typo.subject, "v1.2O");
  EXPECT_NE(typo.hint.find("did you mean 'v1.20'?"), std::string::npos) << typo.hint;
  const Error unlike = usage_error_of([&] { resolve(repository, "quite-unlike-anything"); });
  EXPECT_EQ(unlike.hint.find("did you mean"), std::string::npos) << unlike.hint;
  EXPECT_NE(unlike.hint.find("git fetch --tags"), std::string::npos) << unlike.hint;
}

TEST(Repository, RefusesHostileNamesAsUnknown) {
  Scratch scratch;
  scratch.commit("a", "1");
  const Repository repository = repository_at(scratch.path());
  const std::string touched = scratch.beside("touched").string();
  for (const std::string& name : std::vector<std::string>{
           "-x", "--help", "--upload-pack=touch " + touched, "$(touch " + touched + ")",
           "`touch " + touched + "`", "; touch " + touched, "a\nb", "", "..", "^", "~", "@{",
           "HEAD^{", "HEAD~99999999999999999999", ":/", ":0:a", "\xff\xfe", "HEAD:a",
           std::string(70000, 'x')}) {
    usage_error_of([&] { resolve(repository, name); });
  }
  EXPECT_FALSE(std::filesystem::exists(touched));
}

TEST(Repository, ResolvesBranchesWithHostileNames) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  scratch.commit("a", "2");
  const Repository repository = repository_at(scratch.path());
  for (const std::string name : {"-x", "--exec=true", "a;b", "$(true)", "x|y", "trend"}) {
    scratch.git({"update-ref", "refs/heads/" + name, first});
    EXPECT_EQ(resolve(repository, name).oid, first) << name;
  }
}

TEST(Repository, RefusesOtherObjectsAndAmbiguousNames) {
  Scratch scratch;
  scratch.commit("a", "1");
  scratch.git({"tag", "content", scratch.git({"rev-parse", "HEAD:a"})});
  const Repository repository = repository_at(scratch.path());
  EXPECT_EQ(usage_error_of([&] { resolve(repository, "content"); }).what,
            "the name does not resolve to a commit");
  // Of 1500 objects two share their first four digits, the fewest that git takes; their contents
  // are fixed, and so are these two.
  for (int i = 0; i < 1500; ++i) {
    scratch.write("many/" + std::to_string(i), std::to_string(i));
  }
  scratch.git({"add", "many"});
  std::istringstream lines(scratch.git({"ls-files", "--stage", "many"}));
  std::vector<std::string> oids;
  for (std::string mode, oid, rest; lines >> mode >> oid && std::getline(lines, rest);) {
    oids.push_back(oid);
  }
  std::sort(oids.begin(), oids.end());
  const auto pair = std::adjacent_find(oids.begin(), oids.end(), [](const auto& a, const auto& b) {
    return a.compare(0, 4, b, 0, 4) == 0;
  });
  ASSERT_NE(pair, oids.end());
  EXPECT_EQ(usage_error_of([&] { resolve(repository, pair->substr(0, 4)); }).what,
            "ambiguous name");
}

TEST(Repository, IsFoundFromBelowAndNotFromOutside) {
  Scratch scratch;
  scratch.commit("deep/er/a", "1");
  const Repository repository = repository_at(scratch.path() / "deep" / "er");
  EXPECT_TRUE(std::filesystem::equivalent(repository.workdir(), scratch.path()));
  EXPECT_EQ(usage_error_of([&] { repository_at(scratch.beside("")); }).what, "no git repository");
  EXPECT_EQ(usage_error_of([&] { repository_at(scratch.beside("nowhere")); }).what,
            "no git repository");
}

TEST(Repository, RefusesBareAndEmptyRepositories) {
  Scratch scratch;
  const Error unborn = usage_error_of([&] { resolve(repository_at(scratch.path()), "HEAD"); });
  EXPECT_EQ(unborn.what, "the repository has no commit yet");
  scratch.commit("a", "1");
  scratch.git({"clone", "--quiet", "--bare", ".", scratch.beside("bare").string()});
  const Error bare = usage_error_of([&] { repository_at(scratch.beside("bare")); });
  EXPECT_EQ(bare.what, "the repository is bare");
  EXPECT_NE(bare.hint.find("bare-tree HEAD && cd "), std::string::npos) << bare.hint;
}

TEST(Repository, OpensLinkedWorktreesOfBareOnesToo) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  scratch.commit("a", "2");
  scratch.git({"worktree", "add", "--quiet", scratch.beside("linked").string(), first});
  const Repository linked = repository_at(scratch.beside("linked"));
  EXPECT_EQ(resolve(linked, "HEAD").oid, first);
  EXPECT_TRUE(std::filesystem::equivalent(linked.workdir(), scratch.beside("linked")));
  EXPECT_TRUE(std::filesystem::equivalent(linked.common_dir(), scratch.path() / ".git"));
  EXPECT_FALSE(std::filesystem::equivalent(linked.git_dir(), linked.common_dir()));

  scratch.git({"clone", "--quiet", "--bare", ".", scratch.beside("bare").string()});
  test::git(scratch.beside("bare"),
            {"worktree", "add", "--quiet", scratch.beside("of-bare").string(), "main"});
  EXPECT_EQ(resolve(repository_at(scratch.beside("of-bare")), "HEAD~1").oid, first);
}

TEST(Repository, OpensFormatsThatOnlyGitKnows) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  scratch.git({"config", "core.repositoryFormatVersion", "1"});
  scratch.git({"config", "extensions.worktreeConfig", "true"});
  scratch.git({"config", "extensions.preciousObjects", "true"});
  scratch.git({"config", "extensions.partialClone", "origin"});
  EXPECT_EQ(resolve(repository_at(scratch.path()), "HEAD").oid, first);
  scratch.git({"config", "extensions.somethingNew", "true"});
  EXPECT_EQ(error_of([&] { repository_at(scratch.path()); }).what,
            "cannot read the git repository");
}

TEST(Repository, RefusesSha256) {
  Scratch scratch;
  scratch.git({"init", "--quiet", "--object-format=sha256", scratch.beside("sha256").string()});
  const Error error = error_of([&] { repository_at(scratch.beside("sha256")); });
  EXPECT_NE(error.what.find("SHA-256"), std::string::npos) << error.what;
  EXPECT_NE(error.hint.find(" fast-export --all "), std::string::npos) << error.hint;
}

TEST(Repository, OpensAnotherUsersRepositoryOnlyIfAllowed) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can give files away";
  }
  Scratch scratch;
  const std::string oid = scratch.commit("a", "1");
  constexpr uid_t kSomebody = 12345;
  ASSERT_EQ(chown(scratch.path().c_str(), kSomebody, kSomebody), 0);
  ASSERT_EQ(chown((scratch.path() / ".git").c_str(), kSomebody, kSomebody), 0);
  const std::string line = "git config --global --add safe.directory " + scratch.path().string();
  const Error refused = error_of([&] { repository_at(scratch.path()); });
  EXPECT_EQ(refused.what, "the repository belongs to another user");
  EXPECT_EQ(refused.hint, line);

  const std::string settings = scratch.beside("gitconfig").string();
  const Variable global("GIT_CONFIG_GLOBAL", settings);
  for (const std::string& safe : {std::string("*"), scratch.path().string()}) {
    test::write_file(settings, "[safe]\n\tdirectory = " + safe + "\n");
    EXPECT_EQ(resolve(repository_at(scratch.path()), "HEAD").oid, oid) << safe;
  }
  test::write_file(settings, "[safe]\n\tdirectory = *\n\tdirectory =\n");  // taken back
  EXPECT_EQ(error_of([&] { repository_at(scratch.path()); }).hint, line);
}

TEST(Repository, IgnoresTheRepositoryThatAHookPointsTo) {
  Scratch scratch, other;
  const std::string oid = scratch.commit("a", "1");
  other.commit("b", "2");
  const Variable dir("GIT_DIR", (other.path() / ".git").string());
  const Variable index("GIT_INDEX_FILE", (other.path() / ".git" / "index").string());
  EXPECT_EQ(resolve(repository_at(scratch.path()), "HEAD").oid, oid);
}

TEST(Repository, ReadsFilesOfACommit) {
  Scratch scratch;
  scratch.write("folder/file", std::string("\0two\n", 5));
  const std::string oid = scratch.commit("empty", "");
  std::filesystem::create_symlink("/etc/passwd", scratch.path() / "link");
  const std::string linked = scratch.commit_all("Link");
  const Repository repository = repository_at(scratch.path());
  EXPECT_EQ(repository.read_file(oid, "folder/file"), std::string("\0two\n", 5));
  EXPECT_EQ(repository.read_file(oid, "empty"), "");
  EXPECT_EQ(repository.read_file(oid, "link"), std::nullopt);
  EXPECT_EQ(repository.read_file(oid, "folder/none"), std::nullopt);
  EXPECT_EQ(error_of([&] { repository.read_file(linked, "link"); }).what, "not a regular file");
  EXPECT_EQ(error_of([&] { repository.read_file(oid, "folder"); }).what, "not a regular file");
}

TEST(Repository, MakesCommitMessagesPrintable) {
  Scratch scratch;
  scratch.commit("a", "1");
  test::write_file(scratch.beside("commit"),
                   "tree " + scratch.git({"rev-parse", "HEAD^{tree}"}) +
                       "\nauthor \xe9\x1b[31m <a@b> 1700000000 +0000\ncommitter x <a@b> 1700000000 "
                       "+0000\n\nsubject \x1b]0;owned\x07 \xff end\n");
  const std::string oid = scratch.git(
      {"hash-object", "-t", "commit", "-w", "--literally", scratch.beside("commit").string()});
  const Revision revision = repository_at(scratch.path()).commit(oid);
  EXPECT_EQ(revision.subject, "subject ]0;owned \xef\xbf\xbd end");
  EXPECT_EQ(revision.author, "\xef\xbf\xbd [31m");
}

}  // namespace
}  // namespace perf
