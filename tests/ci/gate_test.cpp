// ci/gate as jobs of several CI systems run it: on shallow clones, test merges, detached heads and
// checkouts that belong to somebody else, with the variables that each system sets.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Variables = std::map<std::string, std::string>;

/// A forge with one pull request: main claims 100 ms a step and has gone on since `fork`; the pull
/// request claims 130 ms in its last two commits.
struct Forge : ScratchRepository {
  Forge() {
    write("bench", kClaimedBenchmark, true);
    write("perf-compare.json", kClaimedConfig);
    write("work", "100");
    for (int number = 0; number < 16; ++number) {
      fork = commit("Commit " + std::to_string(number));
    }
    git({"checkout", "-q", "-b", "feature"});
    write("work", "130");
    commit("Slow down");
    feature = commit("Say why");
    git({"checkout", "-q", "main"});
    write("notes", "work goes on");
    before = commit("Go on");
    main = commit("And on");
    git({"merge", "-q", "--no-ff", "-m", "Merge 7 into main", "feature"});
    merge = git({"rev-parse", "HEAD"});
    git({"reset", "-q", "--hard", main});
    git({"init", "-q", "--bare", "-b", "main", origin()});
    git({"push", "-q", origin(), "main", "feature", merge + ":refs/pull/7/merge"});
  }

  fs::path folder() const { return path().parent_path(); }
  std::string origin() const { return (folder() / "origin.git").string(); }
  fs::path checkout() const { return folder() / "checkout"; }
  fs::path reports() const { return folder() / "reports"; }

  Outcome checkout_git(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "git");
    Outcome outcome = run(arguments, checkout());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }

  /// What actions/checkout does: one fetch of one commit into the reference of the event.
  void check_out(const std::string& oid, const std::string& reference, int depth) const {
    fs::create_directories(checkout());
    checkout_git({"init", "-q"});
    checkout_git({"remote", "add", "origin", "file://" + origin()});
    std::vector<std::string> fetch{"fetch", "-q", "--no-tags"};
    if (depth > 0) {
      fetch.push_back("--depth=" + std::to_string(depth));
    }
    fetch.insert(fetch.end(), {"origin", "+" + oid + ":" + reference});
    checkout_git(fetch);
    checkout_git({"checkout", "-q", "--detach", oid});
  }

  Outcome gate(Variables variables, const std::vector<std::string>& options = {},
               const std::vector<std::string>& user = {}) const {
    std::vector<std::string> command = user;
    command.insert(command.end(), {PERF_SOURCE_DIR "/ci/gate", reports().string()});
    command.insert(command.end(), options.begin(), options.end());
    // Memory is real, and this is about claimed times.
    command.insert(command.end(), {"--", "--metric", "step_time"});
    variables.emplace("PERF_COMPARE", program);
    return run(command, checkout(), variables);
  }

  Json report() const { return Json::parse(content_of(reports() / "report.json")); }

  std::size_t commits_here() const {
    return static_cast<std::size_t>(std::stoi(checkout_git({"rev-list", "--all", "--count"}).out));
  }

  /// GitHub's variables for pull request 7, with its event file.
  Variables github_pull_request() {
    const Json event{{"number", 7},
                     {"pull_request",
                      {{"head", {{"sha", feature}, {"repo", {{"fork", true}}}}},
                       {"base", {{"sha", before}, {"ref", "main"}}}}}};
    write("../event.json", event.dump(2));
    return {{"GITHUB_ACTIONS", "true"},
            {"GITHUB_EVENT_NAME", "pull_request"},
            {"GITHUB_EVENT_PATH", (folder() / "event.json").string()},
            {"GITHUB_BASE_REF", "main"},
            {"GITHUB_HEAD_REF", "feature"},
            {"GITHUB_REF", "refs/pull/7/merge"},
            {"GITHUB_SHA", merge},
            {"GITHUB_STEP_SUMMARY", (folder() / "summary.md").string()},
            {"GITHUB_OUTPUT", (folder() / "output").string()}};
  }

  std::string program = PERF_BINARY_DIR "/bin/perf-compare";
  std::string fork, feature, before, main, merge;
};

void expect_sides(const Forge& forge, const Outcome& outcome, const std::string& base,
                  const std::string& head) {
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err << outcome.out;  // 30 % slower
  const Json report = forge.report();
  EXPECT_EQ(report["base"]["oid"], base) << report["base"];
  EXPECT_EQ(report["head"]["oid"], head) << report["head"];
  EXPECT_EQ(report["summary"]["verdict"], "regressed");
}

TEST(Gate, FetchesOneCommitForATestMerge) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 1);
  const Outcome outcome = forge.gate(forge.github_pull_request());
  expect_sides(forge, outcome, forge.main, forge.merge);
  EXPECT_EQ(forge.report()["base"]["rule"].get<std::string>().rfind("first parent", 0), 0U);
  EXPECT_LE(forge.commits_here(), 3U) << "more was fetched than the two parents";
}

TEST(Gate, FetchesNothingIfTheBaseIsThere) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  fs::remove_all(forge.origin());
  expect_sides(forge, forge.gate(forge.github_pull_request()), forge.main, forge.merge);
}

TEST(Gate, WritesTheReportInEveryFormat) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  const Outcome outcome = forge.gate(forge.github_pull_request());
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err << outcome.out;
  EXPECT_EQ(content_of(forge.reports() / "report.txt"), outcome.out);
  EXPECT_EQ(outcome.out.find("Regressed"), 0U) << outcome.out;
  const std::pair<std::string, std::string> begins[] = {{"report.md", "###"},
                                                        {"report.json", "{"},
                                                        {"report.html", "<!DOCTYPE html>"},
                                                        {"junit.xml", "<?xml"},
                                                        {"metrics.txt", "#"}};
  for (const auto& [name, text] : begins) {
    EXPECT_EQ(content_of(forge.reports() / name).rfind(text, 0), 0U) << name;
  }
  const std::string metrics = content_of(forge.reports() / "metrics.txt");
  EXPECT_EQ(metrics.substr(metrics.size() - std::min<std::size_t>(metrics.size(), 6)), "# EOF\n");
  EXPECT_TRUE(contains(content_of(forge.folder() / "summary.md"), "Regressed"));
  EXPECT_TRUE(contains(content_of(forge.folder() / "output"), "regressed"));
}

TEST(Gate, WritesNothingForGitHubElsewhere) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  Variables variables = forge.github_pull_request();
  variables.erase("GITHUB_ACTIONS");
  ASSERT_EQ(forge.gate(variables).exit_code, 1);
  EXPECT_FALSE(fs::exists(forge.folder() / "summary.md"));
  EXPECT_FALSE(fs::exists(forge.folder() / "output"));
}

TEST(Gate, RemovesTheReportOfAnEarlierRun) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  ASSERT_EQ(forge.gate(forge.github_pull_request()).exit_code, 1);
  forge.write("../checkout/perf-compare.json", "{ bad");
  EXPECT_EQ(forge.gate(forge.github_pull_request()).exit_code, 2);
  for (const char* name : {"report.json", "report.md", "report.html", "junit.xml", "metrics.txt"}) {
    EXPECT_FALSE(fs::exists(forge.reports() / name)) << name;
  }
}

// A workflow that checks out the pull request's head itself, whose fork point is two commits back.
TEST(Gate, FetchesUpToTheMergeBaseWithTheTarget) {
  Forge forge;
  forge.check_out(forge.feature, "refs/remotes/pull/7/head", 1);
  const Outcome outcome = forge.gate(forge.github_pull_request());
  expect_sides(forge, outcome, forge.fork, forge.feature);
  EXPECT_LT(forge.commits_here(), 12U) << "all of the history was fetched";
}

TEST(Gate, UnderstandsGitLab) {
  Forge forge;
  forge.check_out(forge.feature, "refs/pipelines/1", 1);
  const Variables detached{{"CI_PIPELINE_SOURCE", "merge_request_event"},
                           {"CI_MERGE_REQUEST_EVENT_TYPE", "detached"},
                           {"CI_MERGE_REQUEST_DIFF_BASE_SHA", forge.fork},
                           {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"},
                           {"CI_COMMIT_BEFORE_SHA", std::string(40, '0')}};
  expect_sides(forge, forge.gate(detached), forge.fork, forge.feature);
  EXPECT_LT(forge.commits_here(), 10U);

  fs::remove_all(forge.checkout());
  forge.check_out(forge.merge, "refs/pipelines/2", 1);
  Variables merged = detached;
  merged["CI_MERGE_REQUEST_EVENT_TYPE"] = "merged_result";
  expect_sides(forge, forge.gate(merged), forge.main, forge.merge);
}

TEST(Gate, UnderstandsJenkins) {
  Forge forge;
  // Jenkins clones the head and the target, and merges by itself: origin does not know the merge.
  forge.check_out(forge.feature, "refs/remotes/origin/PR-7", 1);
  forge.checkout_git({"fetch", "-q", "--depth=1", "origin", "+main:refs/remotes/origin/main"});
  const Variables jenkins{
      {"CHANGE_ID", "7"}, {"CHANGE_TARGET", "main"}, {"BRANCH_NAME", "PR-7"}, {"JENKINS_URL", "x"}};
  expect_sides(forge, forge.gate(jenkins), forge.fork, forge.feature);
}

TEST(Gate, KnowsTheTargetVariableOfEverySystem) {
  Forge forge;
  forge.git({"push", "-q", forge.origin(), forge.fork + ":refs/heads/release"});
  const std::pair<std::string, std::string> variables[] = {
      {"GITHUB_BASE_REF", "release"},
      {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "release"},
      {"CHANGE_TARGET", "release"},
      {"SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/release"},
      {"BITBUCKET_PR_DESTINATION_BRANCH", "release"},
      {"BUILDKITE_PULL_REQUEST_BASE_BRANCH", "release"}};
  for (const auto& [name, branch] : variables) {
    SCOPED_TRACE(name);
    fs::remove_all(forge.checkout());
    forge.check_out(forge.feature, "refs/remotes/pull/7/head", 1);
    // This is about what is there when the program is called.
    EXPECT_TRUE(ended(forge.gate({{name, branch}, {"PERF_COMPARE", "true"}}), 0));
    const Outcome base = run({"git", "merge-base", "HEAD", "origin/release"}, forge.checkout());
    EXPECT_EQ(base.out, forge.fork + "\n") << base.err;
  }
}

TEST(Gate, UnderstandsAPush) {
  Forge forge;
  forge.write("work", "130");
  const std::string middle = forge.commit("Slow down");
  const std::string last = forge.commit("Say why");
  forge.git({"push", "-q", forge.origin(), "main"});
  const Json event{{"before", forge.before},
                   {"forced", false},
                   {"after", last},
                   {"commits", {{{"message", R"(say "before": ")" + middle + '"'}}}}};
  forge.write("../event.json", event.dump(2));
  Variables push{{"GITHUB_EVENT_NAME", "push"},
                 {"GITHUB_EVENT_PATH", (forge.folder() / "event.json").string()},
                 {"GITHUB_SHA", last}};
  forge.check_out(last, "refs/remotes/origin/main", 1);
  expect_sides(forge, forge.gate(push), forge.before, last);
  EXPECT_LT(forge.commits_here(), 12U);

  // A forced push has no commit before it: with the default branch, it is the first parent. No
  // history is fetched to look for what was thrown away.
  fs::remove_all(forge.checkout());
  forge.write("../event.json",
              Json{{"before", forge.feature}, {"forced", true}, {"after", middle}}.dump(2));
  forge.check_out(middle, "refs/remotes/origin/main", 1);
  push["GITHUB_SHA"] = middle;
  expect_sides(forge, forge.gate(push), forge.main, middle);
  EXPECT_LT(forge.commits_here(), 5U);
}

TEST(Gate, UnderstandsAMergeQueue) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/origin/gh-readonly-queue/main/pr-7", 1);
  const Json event{{"merge_group", {{"base_sha", forge.before}, {"head_sha", forge.merge}}}};
  forge.write("../event.json", event.dump());
  const Variables queue{{"GITHUB_EVENT_NAME", "merge_group"},
                        {"GITHUB_EVENT_PATH", (forge.folder() / "event.json").string()},
                        {"GITHUB_SHA", forge.merge}};
  expect_sides(forge, forge.gate(queue), forge.before, forge.merge);
}

TEST(Gate, ComparesANewBranchWithTheDefaultBranch) {
  Forge forge;  // one branch is there, and no reference says what others start from
  forge.check_out(forge.feature, "refs/remotes/origin/feature", 1);
  expect_sides(forge, forge.gate({}), forge.fork, forge.feature);
  EXPECT_LT(forge.commits_here(), 12U);
}

TEST(Gate, ComparesWithTheGivenName) {
  Forge forge;
  forge.git({"tag", "v1", forge.fork + "~3"});
  forge.git({"push", "-q", forge.origin(), "v1"});
  forge.check_out(forge.feature, "refs/remotes/origin/feature", 1);
  expect_sides(forge, forge.gate({}, {"--base", "v1"}), forge.git({"rev-parse", "v1"}),
               forge.feature);
}

TEST(Gate, GivesAHintIfOriginIsUnreachable) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 1);
  fs::remove_all(forge.origin());
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, std::vector<std::string>{"--base", forge.fork}}) {
    EXPECT_TRUE(ended(forge.gate(forge.github_pull_request(), options), 3,
                      {"fetching it from origin failed\n", "fetch-depth: 0"}));
    EXPECT_FALSE(fs::exists(forge.reports() / "report.json"));
  }
}

// Everything that a pull request's author names is data: branches may not become options or shell.
TEST(Gate, TakesVariablesAsData) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  const std::string planted = (forge.folder() / "planted").string();
  const std::vector<std::string> names{"$(touch " + planted + ")", "--upload-pack=touch " + planted,
                                       "`touch " + planted + "`",  "a..b",
                                       "x:refs/heads/main",        "\n"};
  for (const std::string& hostile : names) {
    Variables variables = forge.github_pull_request();
    variables["GITHUB_BASE_REF"] = hostile;
    variables["GITHUB_HEAD_REF"] = hostile;
    variables["CI_COMMIT_BEFORE_SHA"] = hostile;
    variables["GITHUB_EVENT_NAME"] = "pull_request_target";  // the branch is asked for
    variables["PERF_COMPARE"] = "true";                      // this is about what comes before it
    EXPECT_TRUE(ended(forge.gate(variables), 0)) << hostile;
    EXPECT_FALSE(fs::exists(planted)) << hostile;
  }
}

struct ForeignCheckout : ::testing::Test {
  void SetUp() override {
    if (geteuid() != 0) {
      GTEST_SKIP() << "only root can give a checkout to another user";
    }
  }

  static constexpr uid_t kNobody = 65534;

  void give_away(const fs::path& folder) {
    ASSERT_EQ(chown(folder.c_str(), kNobody, kNobody), 0);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      ASSERT_EQ(lchown(entry.path().c_str(), kNobody, kNobody), 0);
    }
  }
};

// A container's root measures what the runner's user checked out.
TEST_F(ForeignCheckout, IsTrustedForTheJobAlone) {
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 1);
  give_away(forge.checkout());
  const fs::path config = forge.folder() / ".gitconfig";
  ASSERT_NE(run({"git", "status"}, forge.checkout()).exit_code, 0) << "git has nothing against it";
  Variables variables = forge.github_pull_request();
  variables["GIT_CONFIG_GLOBAL"] = config.string();
  variables["GIT_CONFIG_COUNT"] = "1";  // what the job set itself stays
  variables["GIT_CONFIG_KEY_0"] = "protocol.file.allow";
  variables["GIT_CONFIG_VALUE_0"] = "always";
  expect_sides(forge, forge.gate(variables), forge.main, forge.merge);
  EXPECT_FALSE(fs::exists(config));
  EXPECT_NE(run({"git", "status"}, forge.checkout()).exit_code, 0) << "it is trusted for good";
}

// The other way round: a user without a home measures what root checked out.
TEST_F(ForeignCheckout, IsMeasuredByAUserWithoutAHome) {
  if (run({"setpriv", "--version"}, fs::temp_directory_path()).exit_code != 0) {
    GTEST_SKIP() << "there is no setpriv to become another user with";
  }
  Forge forge;
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  fs::permissions(forge.folder(), fs::perms::others_exec | fs::perms::others_read,
                  fs::perm_options::add);
  fs::create_directories(forge.reports());
  fs::create_directories(forge.checkout() / ".perf-compare");
  for (const fs::path& writable : {forge.reports(), forge.checkout() / ".perf-compare"}) {
    ASSERT_EQ(chown(writable.c_str(), kNobody, kNobody), 0);
  }
  const std::vector<std::string> nobody{"setpriv", "--reuid=65534", "--regid=65534",
                                        "--clear-groups"};
  const std::vector<std::string> program = with_more(nobody, {forge.program, "--version"});
  if (run(program, forge.checkout()).exit_code != 0) {
    GTEST_SKIP() << "another user may not run " << forge.program;
  }
  const Outcome outcome = forge.gate(
      {{"GITHUB_EVENT_NAME", "pull_request"}, {"HOME", "/nonexistent"}, {"XDG_CACHE_HOME", ""}}, {},
      nobody);
  expect_sides(forge, outcome, forge.main, forge.merge);
}

TEST(Gate, KeepsTheStore) {
  Forge forge;
  const fs::path kept = forge.folder() / "kept" / "results.db";
  for (const std::string runs : {"1 run, ", "2 runs, "}) {
    fs::remove_all(forge.checkout());
    forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
    ASSERT_TRUE(ended(forge.gate(forge.github_pull_request(), {"--store", kept.string()}), 1));
    const Outcome copy =
        forge.perf_compare({"export", "copy-" + runs.substr(0, 1) + ".db", "--db", kept.string()});
    EXPECT_TRUE(contains(copy.out, runs)) << copy.err;
  }
}

// Two jobs measure a part each, one of which is empty here; a third judges.
TEST(Gate, MeasuresAShard) {
  Forge forge;
  std::vector<std::string> join{"report", "--join"};
  for (const std::string shard : {"1/2", "2/2"}) {
    fs::remove_all(forge.checkout());
    forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
    const fs::path kept = forge.folder() / ("kept-" + shard.substr(0, 1)) / "results.db";
    const Outcome outcome =
        forge.gate(forge.github_pull_request(), {"--store", kept.string(), "--shard", shard});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
    EXPECT_EQ(forge.report()["shard"]["count"], 2);
    EXPECT_FALSE(contains(outcome.out, "::error"));
    join.push_back(kept.string());
  }
  const Outcome joined = forge.perf_compare(join);
  EXPECT_EQ(joined.exit_code, 1) << joined.err << joined.out;
  EXPECT_TRUE(contains(joined.out, "2 shards on 1 host"));
}

// Reports and stores often stand in the checkout: they are no changes that somebody forgot to
// commit.
TEST(Gate, DoesNotCountItsOwnFilesAsChanges) {
  Forge forge;
  Variables variables = forge.github_pull_request();
  variables.emplace("PERF_COMPARE", forge.program);
  const fs::path reports = forge.checkout() / "reports";
  const std::string store = (forge.folder() / "kept" / "results.db").string();
  const auto measure = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command{PERF_SOURCE_DIR "/ci/gate", reports.string()};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", "--metric", "step_time"});
    const Outcome outcome = run(command, forge.checkout(), variables);
    ASSERT_EQ(outcome.exit_code, 1) << outcome.err << outcome.out;
    const Json warnings = Json::parse(content_of(reports / "report.json"))["warnings"];
    EXPECT_FALSE(contains(warnings.dump(), "uncommitted"));
    EXPECT_FALSE(contains(outcome.out, "uncommitted"));
    EXPECT_EQ(forge.checkout_git({"status", "--porcelain"}).out, "?? reports/\n");
    EXPECT_EQ(content_of(forge.checkout() / ".perf-compare" / ".gitignore"), "*\n");
  };
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  measure({});
  measure({});
  for (const bool is_kept : {false, true}) {
    ASSERT_EQ(fs::exists(store), is_kept);
    fs::remove_all(forge.checkout());
    forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
    measure({"--store", store});
  }
}

/// `user`: a command that runs the gate, and leaves the process that is to be signalled in
/// `script`; without one it is the gate itself.
void keeps_what_was_measured_where_stopped_by(const std::string& name, int status,
                                              const std::string& user = {}) {
  SCOPED_TRACE(name + " " + user);
  Forge forge;
  const std::string folder = forge.folder().string();
  forge.program = folder + "/program";
  forge.write("../program",
              "#!/bin/sh\n[ -e " + folder + "/script ] || echo $PPID > " + folder +
                  "/script\nexec " PERF_BINARY_DIR "/bin/perf-compare \"$@\"\n",
              true);
  forge.write("../claimed", kClaimedBenchmark, true);
  // Two pairs are measured; the fifth process stops the job, and would run on and on.
  forge.write("bench",
              "#!/bin/sh\necho run >> " + folder + "/runs\nif [ \"$(wc -l < " + folder +
                  "/runs)\" -ge 5 ]; then\n  kill -" + name + " \"$(cat " + folder +
                  "/script)\"\n  exec sleep 100\nfi\nexec " + folder + "/claimed\n",
              true);
  const std::string base = forge.commit("Be stopped");
  const std::string head = forge.commit("Be stopped again");
  forge.git({"push", "-q", forge.origin(), "HEAD:refs/heads/stopped"});
  forge.check_out(head, "refs/remotes/origin/stopped", 1);
  const fs::path kept = forge.folder() / "kept.db";
  std::vector<std::string> command;
  if (!user.empty()) {
    command = {"sh", "-c", user, "sh"};
  }
  const Outcome outcome =
      forge.gate({{"CI_COMMIT_BEFORE_SHA", base}}, {"--store", kept.string()}, command);
  EXPECT_EQ(outcome.exit_code, status) << outcome.err << outcome.out;
  for (const char* report :
       {"report.json", "report.md", "report.html", "junit.xml", "metrics.txt"}) {
    ASSERT_TRUE(fs::exists(forge.reports() / report)) << report << outcome.err;
  }
  EXPECT_EQ(forge.report()["base"]["oid"], base) << "it was not reported";
  const Outcome copy = forge.perf_compare({"export", "copy.db", "--db", kept.string()});
  EXPECT_TRUE(contains(copy.out, "1 run, 2 commits, ")) << copy.err;
}

TEST(Gate, KeepsMeasurementsWhenStopped) {
  keeps_what_was_measured_where_stopped_by("TERM", 143);
  keeps_what_was_measured_where_stopped_by("INT", 130);
}

// timeout signals the gate, and then its whole process group; so do some runners.
TEST(Gate, KeepsMeasurementsWhenItsGroupIsStopped) {
  const std::string in_group = "echo $$ > ../script; exec timeout 600 \"$@\"";
  keeps_what_was_measured_where_stopped_by("TERM", 143, in_group);
  keeps_what_was_measured_where_stopped_by("INT", 130, in_group);
}

TEST(Gate, KeepsTheStoreWhenItsGroupIsStoppedWhileSaving) {
  Forge forge;
  forge.program = (forge.folder() / "program").string();
  forge.write("../program",
              "#!/bin/sh\n[ \"$1\" != export ] || kill -TERM 0\nexec " PERF_BINARY_DIR
              "/bin/perf-compare \"$@\"\n",
              true);
  forge.check_out(forge.merge, "refs/remotes/pull/7/merge", 2);
  const fs::path kept = forge.folder() / "kept.db";
  const Outcome outcome =
      forge.gate(forge.github_pull_request(), {"--store", kept.string()}, {"timeout", "600"});
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  EXPECT_EQ(forge.report()["summary"]["verdict"], "regressed");
  const Outcome copy = forge.perf_compare({"export", "copy.db", "--db", kept.string()});
  EXPECT_TRUE(contains(copy.out, "1 run, 2 commits, ")) << copy.err;
}

// Others made main slower, the request was rebased onto it, and the clone has main as it was.
TEST(Gate, FetchesTheTargetBranchThoughAnOlderOneIsThere) {
  Forge forge;
  forge.write("work", "130");
  const std::string others = forge.commit("Slow main down");
  forge.write("notes", "a comment");
  const std::string request = forge.commit("Comment");
  forge.git({"push", "-q", forge.origin(), others + ":main", request + ":refs/heads/request"});
  forge.check_out(request, "refs/remotes/origin/PR-8", 0);
  forge.checkout_git({"update-ref", "refs/remotes/origin/main", forge.main});
  const Variables jenkins{{"CHANGE_TARGET", "main"}, {"JENKINS_URL", "x"}};
  EXPECT_TRUE(ended(forge.gate(jenkins), 0));
  EXPECT_EQ(forge.report()["base"]["oid"], others);

  forge.checkout_git({"update-ref", "refs/remotes/origin/main", forge.main});
  fs::remove_all(forge.origin());
  expect_says(forge.gate(jenkins).err, "warning: cannot fetch refs/remotes/origin/main");
}

/// `main`, and a branch that is 30 % slower and has another config.
struct Request : ScratchRepository {
  explicit Request(const std::string& config) {
    write("bench", kClaimedBenchmark, true);
    write("perf-compare.json", kClaimedConfig);
    write("work", "100");
    commit("Measure");
    git({"checkout", "-q", "-b", "request"});
    write("perf-compare.json", config);
    write("work", "130");
    commit("Slow down");
  }
  fs::path folder() const { return path().parent_path(); }
  Outcome gate(const std::vector<std::string>& arguments) const {
    const std::vector<std::string> command = with_more({PERF_SOURCE_DIR "/ci/gate"}, arguments);
    return run(command, path(), {{"PERF_COMPARE", PERF_BINARY_DIR "/bin/perf-compare"}});
  }
};

TEST(Gate, JudgesByThePolicyOfBase) {
  const std::string workloads = R"({"workloads": [{"name": "claimed", "command": ["./bench"]}])";
  const std::vector<std::string> measured{"reports", "--base",   "main",
                                          "--",      "--metric", "step_time"};
  const Request loose(workloads + R"(, "policy": {"threshold": "900%", "budget": "1ms"}})");
  const Outcome judged = loose.gate(measured);
  EXPECT_TRUE(ended(judged, 1));
  EXPECT_TRUE(contains(judged.out, "threshold 10% -> 900%"));
  EXPECT_EQ(loose.gate(with_more(measured, {"--policy", "head", "--budget", "10m"})).exit_code, 0);

  const Request renamed(R"({"workloads": [{"name": "other", "command": ["./bench"]}]})");
  const Outcome dropped = renamed.gate(measured);
  EXPECT_EQ(dropped.exit_code, 1) << dropped.out;
  EXPECT_TRUE(contains(dropped.out.substr(0, dropped.out.find("\n\n")), "claimed")) << dropped.out;

  // Which `baseline` must not be what the request makes of it.
  const Request own_base(workloads + R"(, "baselines": {"baseline": "HEAD"}})");
  EXPECT_EQ(own_base.gate({"reports", "--", "--metric", "step_time"}).exit_code, 1);
}

TEST(Gate, FollowsNoLinkOfTheRepository) {
  const Request request(kClaimedConfig);
  const fs::path outside = request.folder() / "outside";
  fs::create_directory(outside);
  for (const char* name : {"report.txt", "report.json", "results.db"}) {
    std::ofstream(outside / name) << "kept\n";
  }
  fs::create_directory_symlink("../outside", request.path() / "out");
  fs::create_directory_symlink(".git", request.path() / "git");
  fs::create_symlink("../outside/results.db", request.path() / "kept.db");
  const std::vector<std::vector<std::string>> commands{{"out"},
                                                       {"out/deep"},
                                                       {"out/"},
                                                       {"git"},
                                                       {"reports", "--store", "kept.db"},
                                                       {"reports", "--store", "out/kept.db"}};
  const auto expect_refused = [&](const std::vector<std::string>& command) {
    EXPECT_TRUE(ended(request.gate(command), 2, {"error: link out of the repository: "}))
        << command.front();
    for (const fs::directory_entry& entry : fs::directory_iterator(outside)) {
      EXPECT_EQ(content_of(entry.path()), "kept\n") << entry;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(outside), {}), 3);
  };
  for (const std::vector<std::string>& command : commands) {
    expect_refused(command);
  }
  fs::create_directory_symlink("../outside", request.path() / ".perf-compare");
  expect_refused({"reports", "--store", "../store.db"});
  // A user's own link is followed.
  fs::remove(request.path() / ".perf-compare");
  fs::create_directory(request.folder() / "mine");
  fs::create_directory_symlink("mine", request.folder() / "to-mine");
  EXPECT_EQ(request.gate({"../to-mine", "--base", "main", "--", "--metric", "step_time"}).exit_code,
            1);
  EXPECT_TRUE(fs::exists(request.folder() / "mine" / "report.json"));
}

TEST(Gate, PrintsItsUsage) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"-h"}, {"out", "--base", "v1", "--help"}}) {
    const std::vector<std::string> command = with_more({PERF_SOURCE_DIR "/ci/gate"}, arguments);
    const Outcome outcome = run(command, folder.path(), {{"PERF_COMPARE", "/nowhere"}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out.rfind("The job of a pull request", 0), 0U) << outcome.out;
    EXPECT_FALSE(contains(outcome.out, "set -euo"));
  }
}

TEST(Gate, RefusesUnknownOptions) {
  const TemporaryFolder folder;
  const std::pair<std::vector<std::string>, std::string> asked[] = {
      {{}, "missing argument: REPORTS"},
      {{"-C", "dir"}, "missing argument: REPORTS, got the option -C"},
      {{"out", "--nothing", "1"}, "unknown option: --nothing"},
      {{"out", "--store"}, "missing value: --store"},
      {{"out", "--base", "--upload-pack=x"}, "invalid revision: --base --upload-pack=x"},
      {{"out", "-C", folder.path()}, "not in a git repository: " + folder.path().string()}};
  for (const auto& [arguments, fault] : asked) {
    const Outcome outcome = run(with_more({PERF_SOURCE_DIR "/ci/gate"}, arguments), folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.err, "error: " + fault + "\nhint: see ci/gate --help\n");
  }
  const Outcome outcome = run({PERF_SOURCE_DIR "/ci/gate", "out"}, folder.path(),
                              {{"PERF_COMPARE", "/nowhere/perf-compare"}});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "program not found: /nowhere/perf-compare"));
}

}  // namespace
}  // namespace perf::test
