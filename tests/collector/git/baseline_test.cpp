#include "collector/git/baseline.h"

#include <gtest/gtest.h>

#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

using test::error_of;
using test::run_process;
using test::Scratch;
using test::usage_error_of;
using test::variables;

Repository open(const std::filesystem::path& path) {
  return Repository::open(path, run_process());
}

/// main: first - second - merge of side; side: first - aside. `merge` is detached, like the test
/// merge of a pull request, and main stays at second.
struct PullRequest {
  PullRequest() {
    first = scratch.commit("a", "1");
    scratch.git({"checkout", "--quiet", "-b", "side"});
    aside = scratch.commit("b", "1");
    scratch.git({"checkout", "--quiet", "main"});
    second = scratch.commit("a", "2");
    scratch.git({"checkout", "--quiet", "--detach"});
    scratch.git({"merge", "--quiet", "--no-ff", "-m", "Merge side into main", "side"});
    merge = scratch.git({"rev-parse", "HEAD"});
  }

  /// What `baseline` is for HEAD.
  std::optional<Revision> base(const std::map<std::string, std::string>& environment,
                               const std::string& head = "HEAD") const {
    const Repository repository = open(scratch.path());
    const NameSources sources{{}, {}, variables(environment)};
    return resolve_base(repository, "baseline", resolve_head(repository, head, sources), sources);
  }

  std::string event_file(const std::string& text) const {
    test::write_file(scratch.beside("event.json"), text);
    return scratch.beside("event.json").string();
  }

  Scratch scratch;
  std::string first, aside, second, merge;
};

TEST(Baseline, IsTheMergeBaseWithTheDefaultBranch) {
  PullRequest request;
  request.scratch.git({"checkout", "--quiet", "side"});
  const Revision base = request.base({}).value();
  EXPECT_EQ(base.oid, request.first);
  EXPECT_EQ(base.name, "baseline");
  EXPECT_EQ(base.rule, "merge base of HEAD and main");
}

TEST(Baseline, OnTheDefaultBranchIsTheFirstParent) {
  PullRequest request;
  request.scratch.git({"checkout", "--quiet", "main"});
  const Revision base = request.base({}).value();
  EXPECT_EQ(base.oid, request.first);
  EXPECT_EQ(base.rule, "first parent of HEAD, which main has");
}

TEST(Baseline, PrefersTheRemotesHeadThenMainThenMaster) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  const std::string second = scratch.commit("a", "2");
  const std::string third = scratch.commit("a", "3");
  const std::string fourth = scratch.commit("a", "4");
  scratch.git({"checkout", "--quiet", "--detach"});
  const auto base = [&] {
    const Repository repository = open(scratch.path());
    return resolve_base(repository, "baseline", resolve_head(repository, "HEAD", {}), {}).value();
  };
  scratch.git({"branch", "-D", "main", "--quiet"});
  EXPECT_EQ(base().oid, third);
  EXPECT_EQ(base().rule, "first parent of HEAD (there is no origin/HEAD, main or master)");
  scratch.git({"branch", "master", first});
  EXPECT_EQ(base().rule, "merge base of HEAD and master");
  scratch.git({"update-ref", "refs/remotes/origin/main", second});
  EXPECT_EQ(base().oid, second);
  EXPECT_EQ(base().rule, "merge base of HEAD and origin/main");
  scratch.git({"branch", "main", third});
  EXPECT_EQ(base().rule, "merge base of HEAD and main");
  scratch.git({"update-ref", "refs/remotes/origin/trunk", first});
  scratch.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"});
  EXPECT_EQ(base().oid, first);
  EXPECT_EQ(base().rule, "merge base of HEAD and origin/trunk");
  scratch.git({"update-ref", "-d", "refs/remotes/origin/trunk"});  // it dangles now
  EXPECT_EQ(base().rule, "merge base of HEAD and main");
}

TEST(Baseline, OfAForkIsThatOfUpstreamWhereItIsNearer) {
  PullRequest request;  // origin/main, of the fork, is old
  request.scratch.git({"update-ref", "refs/remotes/origin/main", request.first});
  request.scratch.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"});
  request.scratch.git({"update-ref", "refs/remotes/upstream/main", request.second});
  request.scratch.git({"checkout", "--quiet", "-b", "topic", request.second});
  request.scratch.commit("c", "1");
  const Revision base = request.base({}).value();
  EXPECT_EQ(base.oid, request.second);
  EXPECT_EQ(base.rule, "merge base of HEAD and upstream/main");
  request.scratch.git({"update-ref", "refs/remotes/upstream/main", request.first});
  request.scratch.git({"update-ref", "refs/remotes/origin/main", request.second});
  EXPECT_EQ(request.base({}).value().rule, "merge base of HEAD and origin/main");
}

TEST(Baseline, IsNothingAtARootCommit) {
  Scratch scratch;
  scratch.commit("a", "1");
  const Repository repository = open(scratch.path());
  const Revision head = resolve_head(repository, "HEAD", {});
  EXPECT_EQ(resolve_base(repository, "baseline", head, {}), std::nullopt);
  scratch.git({"branch", "-m", "main", "trunk"});
  EXPECT_EQ(resolve_base(open(scratch.path()), "baseline", head, {}), std::nullopt);
}

TEST(Baseline, OfChangesOnTheDefaultBranchIsHead) {
  PullRequest request;
  request.scratch.git({"checkout", "--quiet", "main"});
  request.scratch.write("a", "not committed");
  EXPECT_EQ(request.base({}, ".").value().oid, request.second);
}

TEST(Baseline, NeedsACommonAncestor) {
  Scratch scratch;
  scratch.commit("a", "1");
  scratch.git({"checkout", "--quiet", "--orphan", "other"});
  scratch.commit("b", "1");
  scratch.commit("b", "2");
  const Repository repository = open(scratch.path());
  usage_error_of(
      [&] { resolve_base(repository, "baseline", resolve_head(repository, "HEAD", {}), {}); });
}

TEST(Baseline, AdvisesToFetchMoreInAShallowClone) {
  PullRequest request;
  const std::string to = request.scratch.beside("clone").string();
  request.scratch.git({"clone", "--quiet", "--depth", "1", "--branch", "side",
                       "file://" + request.scratch.path().string(), to});
  const Repository repository = open(to);
  const Error error = error_of(
      [&] { resolve_base(repository, "baseline", resolve_head(repository, "HEAD", {}), {}); });
  EXPECT_NE(error.hint.find("fetch-depth: 0"), std::string::npos);
}

TEST(CiEvent, OfATestMergeIsItsFirstParent) {
  PullRequest request;
  const std::string rule =
      "first parent of the pull request's test merge " + request.merge.substr(0, 12);
  const std::string stale =
      request.event_file(R"({"pull_request": {"base": {"sha": ")" + request.first +
                         R"("}, "head": {"sha": ")" + request.aside + R"("}}})");
  for (const std::map<std::string, std::string>& environment :
       std::vector<std::map<std::string, std::string>>{
           {{"GITHUB_EVENT_NAME", "pull_request"}},
           {{"GITHUB_EVENT_NAME", "pull_request"}, {"GITHUB_SHA", request.merge}},
           {{"GITHUB_EVENT_NAME", "pull_request"}, {"GITHUB_EVENT_PATH", stale}},
           {{"GITHUB_EVENT_NAME", "pull_request_target"}, {"GITHUB_EVENT_PATH", stale}},
           {{"CI_MERGE_REQUEST_EVENT_TYPE", "merged_result"},
            {"CI_MERGE_REQUEST_DIFF_BASE_SHA", request.first}}}) {
    const Revision base = request.base(environment).value();
    EXPECT_EQ(base.oid, request.second);
    EXPECT_EQ(base.rule, rule);
  }
}

TEST(CiEvent, DescribesATestMerge) {
  PullRequest request;
  const std::string of = "the test merge of the pull request's " + request.aside.substr(0, 12);
  const Repository repository = open(request.scratch.path());
  const auto rule = [&](const std::map<std::string, std::string>& environment,
                        const std::string& name = "HEAD") {
    return resolve_head(repository, name, {{}, {}, variables(environment)}).rule;
  };
  EXPECT_EQ(rule({{"GITHUB_EVENT_NAME", "pull_request"}, {"GITHUB_BASE_REF", "main"}}),
            of + " into main");
  EXPECT_EQ(rule({{"CI_MERGE_REQUEST_EVENT_TYPE", "merge_train"},
                  {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "trunk"}}),
            of + " into trunk");
  EXPECT_EQ(rule({{"GITHUB_EVENT_NAME", "pull_request"}}),
            of + " into " + request.second.substr(0, 12));
  EXPECT_EQ(rule({{"GITHUB_EVENT_NAME", "push"}}), "HEAD, detached");
  EXPECT_EQ(rule({}), "HEAD, detached");
  request.scratch.git({"update-ref", "refs/heads/merged", request.merge + "^1"});
  EXPECT_EQ(rule({{"GITHUB_EVENT_NAME", "pull_request"}}, "merged").find("test merge"),
            std::string::npos)
      << "not what CI checked out";
  request.scratch.write("a", "not committed");
  EXPECT_NE(rule({{"GITHUB_EVENT_NAME", "pull_request"}}, ".").find("; HEAD is " + of),
            std::string::npos);
}

TEST(CiEvent, DistinguishesABranchesMergeFromATestMerge) {
  PullRequest request;
  request.scratch.git({"branch", "--force", "side", request.merge});  // side merged main itself
  const std::string event =
      request.event_file(R"({"pull_request": {"head": {"sha": ")" + request.merge + R"("}}})");
  request.scratch.git({"update-ref", "refs/remotes/origin/main", request.second});
  const Revision base = request
                            .base({{"GITHUB_EVENT_NAME", "pull_request"},
                                   {"GITHUB_EVENT_PATH", event},
                                   {"GITHUB_BASE_REF", "main"}})
                            .value();
  EXPECT_EQ(base.rule, "merge base with the pull request's target main");
  // The target branch of pull_request_target may end with a merge as well.
  const Revision target = request
                              .base({{"GITHUB_EVENT_NAME", "pull_request_target"},
                                     {"GITHUB_SHA", request.merge},
                                     {"GITHUB_BASE_REF", "main"}})
                              .value();
  EXPECT_EQ(target.rule, "merge base with the pull request's target main");
}

TEST(CiEvent, OfAPullRequestsOwnCommitIsItsForkPoint) {
  PullRequest request;
  request.scratch.git({"checkout", "--quiet", "--detach", "side"});
  request.scratch.git({"branch", "target", request.second});
  for (const char* variable :
       {"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CHANGE_TARGET",
        "BITBUCKET_PR_DESTINATION_BRANCH", "BUILDKITE_PULL_REQUEST_BASE_BRANCH"}) {
    const Revision base = request.base({{variable, "target"}}).value();
    EXPECT_EQ(base.oid, request.first) << variable;
    EXPECT_EQ(base.rule, "merge base with the pull request's target target");
  }
  EXPECT_EQ(request.base({{"SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/target"}})->rule,
            "merge base with the pull request's target refs/heads/target");
  EXPECT_EQ(request.base({{"CI_MERGE_REQUEST_DIFF_BASE_SHA", request.first}})->rule,
            "base of the merge request's diff");
}

TEST(CiEvent, OfAPushIsTheCommitBefore) {
  PullRequest request;
  request.scratch.git({"checkout", "--quiet", "main"});
  const std::string third = request.scratch.commit("a", "3");
  const std::string fourth = request.scratch.commit("a", "4");
  const std::string event = request.event_file(R"({"before": ")" + request.second + R"("})");
  const std::map<std::string, std::string> github{{"GITHUB_EVENT_NAME", "push"},
                                                  {"GITHUB_EVENT_PATH", event}};
  EXPECT_EQ(request.base(github)->oid, request.second);
  EXPECT_EQ(request.base(github)->rule, "the commit before the push");
  EXPECT_EQ(request.base({{"CI_COMMIT_BEFORE_SHA", request.second}})->oid, request.second);
  EXPECT_EQ(request.base({{"GIT_PREVIOUS_COMMIT", request.second}})->oid, request.second);
  // The event speaks of what was checked out, and of nothing else.
  EXPECT_EQ(request.base(github, "main~1")->oid, request.second);
  EXPECT_EQ(request.base(github, "main~1")->rule, "first parent of main~1, which main has");
}

TEST(CiEvent, IsIgnoredWhereItDoesNotHelp) {
  PullRequest request;
  request.scratch.git({"checkout", "--quiet", "main"});
  const std::string head = request.scratch.git({"rev-parse", "HEAD"});
  const std::string deep(100000, '[');
  for (const std::string& text : std::vector<std::string>{
           "", "no json", "[]", "{}", R"({"before": 3})", R"({"before": null})", deep,
           R"({"before": "0000000000000000000000000000000000000000"})",
           R"({"before": "HEAD~1"})",  // data, not an expression
           R"({"before": "main"})", R"({"before": ")" + head + R"("})",
           R"({"before": ")" + request.aside + R"("})",  // a forced push: no ancestor
           R"({"before": "1234567890123456789012345678901234567890"})"}) {
    const Revision base =
        request
            .base({{"GITHUB_EVENT_NAME", "push"}, {"GITHUB_EVENT_PATH", request.event_file(text)}})
            .value();
    EXPECT_EQ(base.rule, "first parent of HEAD, which main has") << text.substr(0, 80);
  }
  for (const char* path : {"/nowhere", "/dev/zero", "/", ""}) {
    EXPECT_EQ(request.base({{"GITHUB_EVENT_NAME", "push"}, {"GITHUB_EVENT_PATH", path}})->oid,
              request.first);
  }
  EXPECT_EQ(request.base({{"GITHUB_BASE_REF", "--exec=true"}, {"CHANGE_TARGET", "../../x"}})->oid,
            request.first);
}

TEST(Names, PinsComeBeforeTheConfigsBaselinesAndThoseBeforeGit) {
  PullRequest request;
  const Repository repository = open(request.scratch.path());
  NameSources sources;
  sources.pins = {{"release", request.first, "agreed", "2026-01-01T00:00:00Z"}};
  sources.baselines = {{"release", "side"}, {"stable", "main~1"}, {"baseline", "side"}};
  const Revision pinned = resolve_head(repository, "release", sources);
  EXPECT_EQ(pinned.oid, request.first);
  EXPECT_EQ(pinned.name, "release");
  EXPECT_EQ(pinned.rule, "pinned baseline release (agreed)");
  const Revision configured = resolve_head(repository, "stable", sources);
  EXPECT_EQ(configured.oid, request.first);
  EXPECT_EQ(configured.rule, "baseline stable of the config: main~1");
  // A baseline called `baseline` is what `baseline` means.
  const Revision head = resolve_head(repository, "HEAD", sources);
  EXPECT_EQ(resolve_base(repository, "baseline", head, sources)->oid, request.aside);
  sources.pins.push_back({"baseline", request.second, "", ""});
  EXPECT_EQ(resolve_base(repository, "baseline", head, sources)->oid, request.second);
  const Error unknown = usage_error_of([&] { resolve_head(repository, "relaese", sources); });
  EXPECT_NE(unknown.hint.find("did you mean 'release'?"), std::string::npos) << unknown.hint;
  usage_error_of([&] { resolve_base(repository, "nothing", head, sources); });
}

TEST(Names, OfTheCheckedOutBranchIsNoBaseline) {
  PullRequest request;
  request.scratch.git({"checkout", "-q", "-B", "baseline", request.second});
  const Repository repository = open(request.scratch.path());
  const NameSources none{{}, {}, variables({})};
  const Revision head = resolve_head(repository, "HEAD", none);
  ASSERT_EQ(head.oid, request.second);
  EXPECT_NE(resolve_base(repository, "baseline", head, none)->oid, head.oid);
  const NameSources pinned{{{"baseline", request.second, "", ""}}, {}, variables({})};
  EXPECT_EQ(resolve_base(repository, "baseline", head, pinned)->oid, head.oid);
}

TEST(Names, ReportAnUnresolvedBaseline) {
  PullRequest request;
  const Repository repository = open(request.scratch.path());
  NameSources sources;
  sources.pins = {{"gone", std::string(40, '1'), "", ""}};
  sources.baselines = {{"void", "v9.9"}, {"main", "side"}};
  EXPECT_EQ(error_of([&] { resolve_head(repository, "gone", sources); }).what,
            "the commit of the pinned baseline is not in this repository");
  const Error unknown = usage_error_of([&] { resolve_head(repository, "void", sources); });
  EXPECT_EQ(unknown.subject, "v9.9, in the config's baseline 'void'");
  EXPECT_NE(unknown.hint, "");
  EXPECT_EQ(usage_error_of([&] { resolve_head(repository, "main", sources); }).what,
            "invalid name of a baseline in the config");
}

TEST(Names, OfPinsMustBeUnused) {
  PullRequest request;
  request.scratch.git({"tag", "v1"});
  request.scratch.git({"update-ref", "refs/remotes/origin/next", request.first});
  const Repository repository = open(request.scratch.path());
  for (const std::string& name :
       std::vector<std::string>{"", ".", "-x", "HEAD", "FETCH_HEAD", "ORIG_HEAD", "main", "v1",
                                "origin/next", "heads/main", request.first,
                                request.first.substr(0, 8), "a..b", "a b", "a\n", "HEAD~1", "@"}) {
    EXPECT_NE(pin_name_problem(repository, name), "") << name;
  }
  for (const std::string name : {"release", "baseline", "v1.2", "team/fast", "main2"}) {
    EXPECT_EQ(pin_name_problem(repository, name), "") << name;
  }
}

}  // namespace
}  // namespace perf
