// `perf-compare BASE HEAD` as a user runs it: real processes on scratch repositories.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// A repository whose benchmark claims `base_ms` at the first commit and `head_ms` at the second.
struct Claimed : ScratchRepository {
  explicit Claimed(const std::string& base_ms = "100", const std::string& head_ms = "100") {
    write("bench", kClaimedBenchmark, true);
    write("perf-compare.json", kClaimedConfig);
    write("work", base_ms);
    base = commit("Add a benchmark");
    write("work", head_ms);
    write("notes", "a change that costs nothing");
    head = commit("Change the work");
  }
  std::string base, head;
};

TEST(Compare, FindsIdenticalCodeUnchanged) {
  const Claimed repository;
  const Json report = repository.json({"HEAD~1", "HEAD"});
  EXPECT_EQ(report["schema"], "perf-compare/report/2");
  EXPECT_EQ(report["summary"]["verdict"], "unchanged");
  EXPECT_EQ(report["base"]["oid"], repository.base);
  EXPECT_EQ(report["head"]["oid"], repository.head);
  EXPECT_EQ(row(report, "claimed", "step_time")["verdict"], "unchanged");
  EXPECT_EQ(row(report, "claimed", "peak_rss")["verdict"], "unchanged");
  // m = 2 judged comparisons: alpha/(2*6) wants 12 pairs.
  EXPECT_EQ(row(report, "claimed", "step_time")["pairs"], 12);
}

TEST(Compare, FindsASlowdown) {
  const Claimed repository("100", "115");
  const Json time = row(repository.json({"HEAD~1", "HEAD"}, 1), "claimed", "step_time");
  EXPECT_EQ(time["verdict"], "regressed");
  EXPECT_GT(time["change"], 0.10);
  EXPECT_LT(time["change"], 0.20);
}

/// Claims 100 ms, and `slow_ms` in one step of 20; prints `steps` of them.
std::string benchmark_with_tail(const std::string& slow_ms, const std::string& steps = "steps") {
  std::string script = kClaimedBenchmark;
  const std::string work = "work / 1000";
  script.replace(script.find(work), work.size(), "(i % 20 == 7 ? " + slow_ms + " : 100) / 1000");
  const std::string count = "i < steps + 1";
  return script.replace(script.find(count), count.size(), "i < " + steps + " + 1");
}

struct Tailed : ScratchRepository {
  explicit Tailed(const std::string& head) {
    write("perf-compare.json", R"({"workloads": [{"name": "claimed", "command": ["./bench"],
      "metrics": {"step_time.p99": {"threshold": "10%"}}}]})");
    write("work", "100");
    write("bench", benchmark_with_tail("200"), true);
    commit("Start");
    write("bench", head, true);
    commit("Change it");
  }
};

TEST(Compare, FindsAChangeOfTheTailAlone) {
  const Tailed repository(benchmark_with_tail("230"));
  const Json report = repository.json({"HEAD~1", "HEAD"}, 1);
  EXPECT_EQ(row(report, "claimed", "step_time")["verdict"], "unchanged");
  EXPECT_EQ(row(report, "claimed", "step_time.p99")["verdict"], "regressed");
  EXPECT_EQ(row(report, "claimed", "step_time.p99")["unit"], "s");
  EXPECT_NEAR(row(report, "claimed", "step_time.p99")["change"], 0.15, 0.01);

  const Json stored =
      repository.json({"judge", "HEAD~1", "HEAD", "--metric", "step_time.p95.5"}, 1);
  EXPECT_EQ(row(stored, "claimed", "step_time.p95.5")["verdict"], "regressed");
  const Outcome trend = repository.perf_compare({"trend", "--json", "-"});
  ASSERT_EQ(trend.exit_code, 0) << trend.err;
  EXPECT_TRUE(contains(trend.out, "\"step_time.p99\"")) << "by the threshold of the config";
  EXPECT_FALSE(contains(trend.out, "step_time.p95.5"));
  EXPECT_TRUE(
      contains(repository.perf_compare({"trend", "--metric", "step_time.p95.5", "--json", "-"}).out,
               "step_time.p95.5"));
}

TEST(Compare, FailsAQuantileOfTooFewSteps) {
  const Tailed repository(benchmark_with_tail("200", "998"));
  EXPECT_TRUE(ended(repository.perf_compare({"HEAD~1", "HEAD"}), 3,
                    {"a process at head has 998 timed steps: step_time.p99 needs 1000 in each"}));
  for (const char* wrong : {"step_time.p0", "step_time.p100", "step_time.p99.95"}) {
    EXPECT_TRUE(ended(repository.perf_compare({"HEAD~1", "HEAD", "--metric", wrong}), 2,
                      {std::string("error: a quantile of the steps must be p50 to p99.9: ") +
                       wrong + "\nhint: "}));
  }
}

TEST(Compare, FindsAnAllocation) {
  ScratchRepository repository;
  const std::string program = R"(#!/usr/bin/python3
import json, os
keep = b"x" * (MEGABYTES << 20)
with open(os.environ["PERF_COMPARE_OUT"], "w") as out:
    print(json.dumps({"type": "begin", "protocol": 1, "workload": "hungry", "params": {}}), file=out)
    for i in range(int(os.environ["PERF_COMPARE_STEPS"])):
        print(json.dumps({"type": "step", "index": i, "warmup": False, "seconds": 0.1}), file=out)
    print(json.dumps({"type": "end"}), file=out)
)";
  const auto with = [&](const std::string& megabytes) {
    std::string text = program;
    return text.replace(text.find("MEGABYTES"), 9, megabytes);
  };
  repository.write("perf-compare.json", kClaimedConfig);
  repository.write("bench", with("30"), true);
  repository.commit("Add a benchmark");
  repository.write("bench", with("38"), true);
  repository.commit("Keep more in memory");
  const Json report = repository.json({"HEAD~1", "HEAD"}, 1);
  const Json memory = row(report, "claimed", "peak_rss");
  EXPECT_EQ(memory["verdict"], "regressed");
  EXPECT_NEAR(memory["change"], 0.20, 0.03);
  EXPECT_EQ(row(report, "claimed", "step_time")["verdict"], "unchanged");
}

TEST(Compare, MeasuresTheWorkingTreeAsItIs) {
  Claimed repository;
  repository.write("work", "130");
  const Outcome tree = repository.perf_compare({"HEAD", ".", "--json", "-"});
  EXPECT_EQ(tree.exit_code, 1) << tree.err;
  EXPECT_EQ(Json::parse(tree.out)["head"]["dirty"], true);

  EXPECT_TRUE(
      ended(repository.perf_compare({"HEAD~1", "HEAD", "--json", "-"}), 0, {"1 uncommitted file"}));
  EXPECT_EQ(repository.git({"status", "--porcelain"}), " M work")
      << "the tree must be left as it was";
}

TEST(Compare, ComparesBaselineAndHeadByDefault) {
  Claimed repository("100", "130");
  repository.git({"checkout", "-q", "-b", "topic"});
  repository.git({"branch", "-q", "-f", "main", repository.base});
  const Json report = json_of(repository.perf_compare({"--json", "-"}), 1);
  EXPECT_EQ(report["base"]["oid"], repository.base);
  EXPECT_EQ(report["base"]["name"], "baseline");
  EXPECT_TRUE(contains(report["base"]["rule"].get<std::string>(), "main"));
}

TEST(Compare, CallsWorkloadsNewIfHeadAddsTheConfig) {
  ScratchRepository repository;
  repository.write("readme", "nothing to measure yet");
  repository.commit("Start");
  repository.write("bench", kClaimedBenchmark, true);
  repository.write("work", "100");
  repository.write("perf-compare.json", kClaimedConfig);
  repository.commit("Add a benchmark");
  const Json report = repository.json({"HEAD~1", "HEAD"});
  EXPECT_EQ(report["summary"]["verdict"], "new");
  const Json time = row(report, "claimed", "step_time");
  EXPECT_EQ(time["verdict"], "new");
  EXPECT_TRUE(time["base"].is_null());
  EXPECT_GT(time["head"]["median"], 0);
}

// What the machine lacked for base's build would otherwise pass for a commit without benchmarks.
TEST(Compare, FailsIfTheMachineCannotBuildBase) {
  const std::string build = R"("build": {"command": ["sh", "-c", ")";
  const std::string rest = R"("]}, "workloads": [{"name": "claimed", "command": ["./bench"]}]})";
  const auto compared = [&](const std::string& base_build) {
    ScratchRepository repository;
    repository.write("bench", kClaimedBenchmark, true);
    repository.write("work", "100");
    repository.write("perf-compare.json", "{" + build + base_build + rest);
    repository.commit("Build in some way");
    repository.write("perf-compare.json", "{" + build + "true" + rest);
    repository.commit("Build in another");
    return repository.perf_compare({"HEAD~1", "HEAD"});
  };
  for (const char* lacking :
       {"kill -KILL $$", "echo 'ld: cannot write a.out: No space left on device' >&2; exit 1",
        "echo 'c++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1"}) {
    EXPECT_TRUE(ended(compared(lacking), 3, {"error: base does not build"}));
  }
  EXPECT_TRUE(ended(compared("echo 'no rule to make this' >&2; exit 1"), 3, {"Failed: "}))
      << "its own config has the workload";
}

TEST(Compare, CallsWorkloadsOfARootCommitNew) {
  ScratchRepository repository;
  repository.write("bench", kClaimedBenchmark, true);
  repository.write("work", "100");
  repository.write("perf-compare.json", kClaimedConfig);
  repository.commit("Start");
  const Json report = json_of(repository.perf_compare({"--json", "-"}), 0);
  EXPECT_EQ(report["summary"]["verdict"], "new");
  EXPECT_TRUE(report["base"].is_null());
}

TEST(Compare, CallsAWorkloadOfBaseAloneMissing) {
  Claimed repository;
  repository.write("perf-compare.json",
                   R"({"workloads": [{"name": "renamed", "command": ["./bench"]}]})");
  repository.commit("Rename the workload");
  EXPECT_EQ(repository.json({"HEAD~1", "HEAD"})["summary"]["missing"], 1);
  EXPECT_EQ(repository.perf_compare({"HEAD~1", "HEAD", "--strict"}).exit_code, 4);
}

TEST(Compare, RefusesANameThatDoesNotResolve) {
  const Claimed repository;
  const Outcome outcome = repository.perf_compare({"no-such-branch", "HEAD"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "no-such-branch"));
}

TEST(Compare, FailsIfHeadDoesNotBuild) {
  Claimed repository;
  repository.write("perf-compare.json", R"({
    "build": { "command": ["sh", "build.sh"] },
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ] })");
  repository.write("build.sh", "echo compiling; echo 'bench.c:7: syntax error' >&2; exit 9\n");
  repository.commit("Break the build");
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD", "--json", "-"});
  EXPECT_TRUE(ended(outcome, 3, {"bench.c:7: syntax error"}));
  EXPECT_EQ(Json::parse(outcome.out)["summary"]["verdict"], "failed");
}

TEST(Compare, NamesTheLimitThatABuildExceeds) {
  Claimed repository;
  repository.write("perf-compare.json", R"({
    "build": { "command": ["sleep", "60"], "timeout": "1s" },
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ] })");
  repository.commit("Build for too long");
  EXPECT_TRUE(
      ended(repository.perf_compare({"HEAD~1", "HEAD"}), 3,
            {"timed out after 1 s", "raise the limit in the config: \"build\": { \"timeout\""}));
}

TEST(Compare, NamesTheFolderOfAConfigBelowTheTop) {
  ScratchRepository repository;
  repository.write("sub/bench", kClaimedBenchmark, true);
  repository.write("sub/work", "100");
  repository.write("sub/perf-compare.json", kClaimedConfig);
  repository.commit("Start");
  repository.write("sub/work", "101");
  repository.commit("Go on");
  expect_outcomes(
      {{{"HEAD~1", "HEAD"}, 2, {"pass --config sub/perf-compare.json; ", "\"cwd\": \"sub\""}},
       {{"HEAD~1", "HEAD", "--config", "sub/perf-compare.json"},
        3,
        {"names ./bench, which is in sub,", "\"cwd\": \"sub\""}}},
      [&](const auto& command) { return repository.perf_compare(command); });
}

/// A second workload beside the good one, which misbehaves at head only.
Outcome with_broken_head(const std::string& script, const std::string& timeout = "60s") {
  Claimed repository;
  repository.write("perf-compare.json", R"({"workloads": [
    {"name": "claimed", "command": ["./bench"]},
    {"name": "broken", "command": ["./broken"], "timeout": ")" +
                                            timeout + "\"}]}");
  repository.write("broken", kClaimedBenchmark, true);
  repository.commit("Add a second benchmark");
  repository.write("broken", script, true);
  repository.commit("Break it");
  return repository.perf_compare({"HEAD~1", "HEAD", "--json", "-"});
}

void expect_broken_but_rest_kept(const Outcome& outcome, const std::string& reason) {
  ASSERT_EQ(outcome.exit_code, 3) << outcome.err;
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report["summary"]["verdict"], "failed");
  EXPECT_EQ(report["summary"]["failed"], 1);
  EXPECT_EQ(row(report, "claimed", "step_time")["verdict"], "unchanged");
  EXPECT_TRUE(contains(row(report, "broken", "step_time").dump(), reason));
}

TEST(Compare, ReportsACrashAtHeadAndTheRest) {
  const Outcome outcome = with_broken_head("#!/bin/sh\nkill -SEGV $$\n");
  expect_broken_but_rest_kept(outcome, "SEGV");
  if (!nothing_can_be_traced()) {  // by the look, before any pair
    const std::size_t told = outcome.err.find("broken: head failed: killed by signal 11");
    EXPECT_LT(told, outcome.err.find("measuring")) << outcome.err;
  }
}

TEST(Compare, ReportsAFailureAtHeadAndTheRest) {
  struct Case {
    std::string script, timeout, reason;
  };
  for (const Case& one : {Case{"echo no such table >&2\nexit 7", "60s", "no such table"},
                          {"trap '' TERM\nsleep 1000 & sleep 1000", "1s", "1 s"},
                          {"echo 'what?' > \"$PERF_COMPARE_OUT\"", "60s", "line 1"}}) {
    SCOPED_TRACE(one.script);
    expect_broken_but_rest_kept(with_broken_head("#!/bin/sh\n" + one.script + "\n", one.timeout),
                                one.reason);
  }
}

TEST(Compare, FailsIfAWorkloadFailsOnBothSides) {
  ScratchRepository repository;
  repository.write("perf-compare.json", kClaimedConfig);
  repository.write("bench", "#!/bin/sh\necho no such table >&2\nexit 1\n", true);
  repository.commit("Start");
  repository.write("notes", "x");
  repository.commit("Go on");
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD"});
  EXPECT_TRUE(
      ended(outcome, 3,
            {"fails on both sides alike: exit status 1; last line of stderr: no such table"}));
  EXPECT_FALSE(contains(outcome.out, "head failed"));
}

TEST(Compare, FailsIfBaseCannotRunAWorkloadOfItsOwnConfig) {
  ScratchRepository repository;
  repository.write("perf-compare.json", kClaimedConfig);
  repository.write("bench", "#!/bin/sh\necho no data >&2\nexit 1\n", true);  // not any more
  repository.commit("Start");
  repository.write("work", "100");
  repository.write("bench", kClaimedBenchmark, true);
  repository.commit("Need no data");
  const Json report = repository.json({"HEAD~1", "HEAD"}, 3);
  EXPECT_EQ(row(report, "claimed", "step_time")["verdict"], "failed");
}

TEST(Compare, NamesIgnoredDataThatACheckoutLacks) {
  ScratchRepository repository;
  repository.write("perf-compare.json", kClaimedConfig);
  repository.write(".gitignore", "data/\n");
  repository.write("data/model.bin", "weights");
  repository.write("data/other.bin", "not named");
  repository.write("bench", "#!/bin/sh\ncat \"$PWD/data/model.bin\"\n", true);
  repository.commit("Start");
  repository.write("notes", "x");
  repository.commit("Go on");
  const Json report = repository.json({"HEAD~1", "HEAD"}, 3);
  const Json& warnings = report["warning_details"];
  const auto found =
      std::ranges::find(warnings, "files_not_in_git", [](const Json& one) { return one["kind"]; });
  ASSERT_NE(found, warnings.end()) << report.dump(1);
  expect_says((*found)["text"], "claimed names data/model.bin, which is in the working tree");
  expect_says((*found)["text"], "git ignores it; hint: ");
  EXPECT_TRUE(contains(report.dump(), "fails on both sides alike: "));
}

/// The claimed benchmark with a check `sum`, which passes by this expression of awk.
std::string benchmark_with_check(const std::string& passes) {
  std::string script = kClaimedBenchmark;
  return script.insert(script.find(R"(  print "{\"type\":\"end\"}")"),
                       R"(  printf "{\"type\":\"check\",\"name\":\"sum\",\"passed\":%s}\n", )" +
                           passes + " ? \"true\" : \"false\"\n");
}

TEST(Compare, RefusesAFasterButWrongHead) {
  Claimed repository;
  repository.write("bench", benchmark_with_check("1"), true);
  repository.commit("Check the sum");
  repository.write("bench", benchmark_with_check("0"), true);
  repository.commit("Compute it wrongly");
  EXPECT_EQ(repository.perf_compare({"HEAD~1", "HEAD"}).exit_code, 1);
  // The same failure on both sides is no news.
  repository.write("notes", "x");
  repository.commit("Go on");
  EXPECT_EQ(repository.perf_compare({"HEAD~1", "HEAD"}).exit_code, 0);
}

TEST(Compare, FindsABrokenHeadDespiteAFlakyBase) {
  Claimed repository;
  repository.write("bench", benchmark_with_check("seed % 6"), true);
  repository.commit("Check the sum, now and then wrongly");
  repository.write("bench", benchmark_with_check("0"), true);
  repository.commit("Compute it wrongly");
  EXPECT_TRUE(ended(repository.perf_compare({"HEAD~1", "HEAD", "--seed", "1", "--json", "r.json"}),
                    1, {"check sum"}));
  const Json report = Json::parse(content_of(repository.path() / "r.json"));
  const Json check = row(report, "claimed", "step_time")["checks"][0];
  EXPECT_GT(check["base_failed"], 0) << check;
  EXPECT_EQ(check["head_failed"], check["head_runs"]);
}

/// The first look is at 12 pairs, each of which takes 0.2 s at least.
TEST(Compare, WarnsOfABudgetThatReachesNoLook) {
  Claimed repository;
  repository.write("bench",
                   "#!/bin/sh\nsleep 0.1" + kClaimedBenchmark.substr(kClaimedBenchmark.find('\n')),
                   true);
  repository.commit("Take a while");
  const Outcome first = repository.perf_compare({"HEAD", "HEAD", "--budget", "700ms", "--strict"});
  EXPECT_EQ(first.exit_code, 4) << first.err;
  EXPECT_TRUE(
      contains(first.err, "of the 12 pairs that a first look takes; the first look needs --budget"))
      << first.err;
  EXPECT_EQ(first.out.rfind("Nothing decided: the budget of 700 ms ended after", 0), 0u)
      << first.out;
  EXPECT_TRUE(contains(first.out, "--budget 10s or fewer workloads"));
  const Outcome known = repository.perf_compare({"HEAD", "HEAD", "--budget", "700ms"});
  EXPECT_EQ(known.exit_code, 0) << known.err;
  EXPECT_LT(known.err.find("that a first look takes"), known.err.find("measuring 1 of 1"))
      << "known from before\n"
      << known.err;
}

TEST(Compare, IgnoresTheSupervisorOfAnotherBuild) {
  const std::string ours = PERF_BINARY_DIR "/lib/perf-compare/perf-supervisor";
  if (!std::filesystem::exists(ours)) {
    GTEST_SKIP() << "sanitized, the tool forks itself";
  }
  Claimed repository;
  repository.write("install/lib/perf-compare/perf-supervisor",
                   "#!/bin/sh\nexec " + ours + " \"$1\" \"$2\" another\n", true);
  std::filesystem::create_directory(repository.path() / "install/bin");
  const std::filesystem::path tool = repository.path() / "install/bin/perf-compare";
  std::filesystem::copy_file(PERF_BINARY_DIR "/bin/perf-compare", tool);
  EXPECT_TRUE(
      ended(run({tool.string(), "HEAD~1", "HEAD"}, repository.path()), 3, {"from another build"}));
}

TEST(Compare, WarnsOfAMissingSupervisor) {
  if (!std::filesystem::exists(PERF_BINARY_DIR "/lib/perf-compare/perf-supervisor")) {
    GTEST_SKIP() << "sanitized, the tool forks itself";
  }
  Claimed repository;
  std::filesystem::create_directory(repository.path() / "bin");
  const std::filesystem::path tool = repository.path() / "bin/perf-compare";
  std::filesystem::copy_file(PERF_BINARY_DIR "/bin/perf-compare", tool);
  const Outcome outcome =
      run({tool.string(), "HEAD", "HEAD", "--budget", "10ms", "--json", "-"}, repository.path());
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report["warning_details"][0]["kind"], "no_supervisor") << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "lib/perf-compare/perf-supervisor is missing"));
  const Outcome ours = repository.perf_compare({"HEAD", "HEAD", "--budget", "10ms"});
  EXPECT_FALSE(contains(ours.out + ours.err, "perf-supervisor")) << ours.out;
}

TEST(Compare, ReportsThatNothingWasProfiled) {
  const Outcome outcome = Claimed().perf_compare({"HEAD~1", "HEAD", "--profile-changes"});
  EXPECT_TRUE(contains(outcome.err, "nothing was profiled"));
}

/// What HEAD against HEAD prints where a process of the run, which knows the file with its pid,
/// stops it.
std::string pid_file(const Claimed& repository) {
  return (repository.path().parent_path() / "pid").string();
}
Json report_of_stopped(const Claimed& repository) {
  return json_of(run({"sh", "-c",
                      "echo $$ > " + pid_file(repository) +
                          "; exec " PERF_BINARY_DIR "/bin/perf-compare HEAD HEAD --json -"},
                     repository.path()),
                 130);
}

TEST(Compare, KeepsAndReportsMeasurementsWhenInterrupted) {
  Claimed repository;
  const std::string started = (repository.path().parent_path() / "started").string();
  repository.write("bench",
                   "#!/bin/sh\necho started >> " + started + "\nif [ $(wc -l < " + started +
                       ") -gt 6 ]; then kill -INT $(cat " + pid_file(repository) +
                       "); sleep 1000; fi\n" +
                       kClaimedBenchmark.substr(kClaimedBenchmark.find('\n') + 1),
                   true);
  repository.commit("Ask to stop at the seventh start");
  EXPECT_EQ(row(report_of_stopped(repository), "claimed", "step_time")["verdict"], "inconclusive");
  const Outcome stored =
      run({"sqlite3", ".perf-compare/results.db", "SELECT count(*) FROM invocation"},
          repository.path());
  EXPECT_EQ(stored.out, "6\n") << stored.err;
}

TEST(Compare, KeepsTheExitCodeIfAReportCannotBeWritten) {
  const Claimed slower("100", "120");
  EXPECT_TRUE(ended(slower.perf_compare({"HEAD~1", "HEAD", "--json", "/dev/full"}), 1,
                    {"Regressed", "/dev/full"}));
  const Claimed same;
  EXPECT_EQ(same.perf_compare({"HEAD~1", "HEAD", "--json", "/dev/full"}).exit_code, 3);
  EXPECT_EQ(same.perf_compare({"HEAD~1", "HEAD", "--json", "no/such/folder.json"}).exit_code, 2);
}

TEST(Compare, IgnoresAClosedPipe) {
  const Claimed repository;
  EXPECT_TRUE(ended(
      run({"sh", "-c", PERF_BINARY_DIR "/bin/perf-compare HEAD~1 HEAD --json r.json 2>&1 | true"},
          repository.path()),
      0));
  EXPECT_EQ(Json::parse(content_of(repository.path() / "r.json"))["summary"]["verdict"],
            "unchanged");
}

TEST(Compare, ReportsNoFailureOfAnInterruptedBuild) {
  Claimed repository;
  repository.write("build.sh", "kill -INT $(cat " + pid_file(repository) + "); sleep 1000\n");
  repository.write("perf-compare.json", R"({"build": {"command": ["sh", "build.sh"]},
    "workloads": [{"name": "claimed", "command": ["./bench"]}]})");
  repository.commit("Ask to stop while building");
  const Json report = report_of_stopped(repository);
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_EQ(report["summary"]["failed"], 0) << report["summary"].dump();
}

TEST(Compare, EscapesMessages) {
  const Claimed repository;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"no\x1b[31m\xff", "HEAD"},
                                             {"-w", "no\x1b[31m"},
                                             {"--config", "no\x1b[31m"},
                                             {"--no\x1b[31m"}}) {
    const Outcome outcome = repository.perf_compare(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << arguments[0];
  }
}

TEST(Compare, WritesJsonOfItsPublishedSchema) {
  const Claimed repository("100", "120");
  repository.perf_compare({"HEAD~1", "HEAD", "--json", "r.json"});
  EXPECT_TRUE(ended(run({"/usr/bin/python3", "-m", "jsonschema", "-i", "r.json",
                         PERF_SOURCE_DIR "/schema/json/report.schema.json"},
                        repository.path()),
                    0));
}

TEST(Compare, RefusesPairsThatCannotReachTheFirstLook) {
  const Claimed repository;
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD", "--pairs", "3"});
  EXPECT_TRUE(ended(outcome, 2, {"11"}));
  EXPECT_FALSE(contains(outcome.err, "building"));
  EXPECT_FALSE(contains(outcome.err, "measuring"));
  // As few as one comparison would do with, of dear pairs or of these; there are two.
  for (const char* pairs : {"5", "11"}) {
    EXPECT_TRUE(ended(repository.perf_compare({"HEAD~1", "HEAD", "--pairs", pairs}), 2, {"12"}));
  }
}

TEST(Compare, RefusesAProgramThatEachBuildInstallsOutside) {
  NEEDS_TRACING();
  ScratchRepository repository;
  const std::string tool = repository.cache().parent_path() / "tool";
  repository.write("perf-compare.json", R"({"build": {"command": ["cp", "tool", ")" + tool +
                                            R"("]}, "workloads": [
  {"name": "w", "command": [")" + tool + R"("], "format": "process"}]})");
  for (const char* speed : {"0.01", "0.05"}) {
    repository.write("tool", std::string("#!/bin/sh\nsleep ") + speed + "\n", true);
    repository.commit(speed);
  }
  const Json w = row(repository.json({"HEAD~1", "HEAD"}, 3), "w", "step_time");
  EXPECT_EQ(w["verdict"], "failed");
  expect_says(w.dump(), "both sides run " + tool + ", installed by ");
}

TEST(Compare, StartsBothSidesAsTheirBuildsLeftThem) {
  // What a workload takes grows with each run that its checkout has seen.
  Claimed repository;
  repository.write("bench", kClaimedBenchmark, true);
  repository.write("grow", "#!/bin/sh\necho x >> runs\nexec ./bench\n", true);
  std::string config = kClaimedConfig;
  config.replace(config.find("./bench"), 7, "./grow");
  repository.write("perf-compare.json", config);
  repository.commit("Leave a log");
  repository.write("notes", "another");
  repository.commit("Change nothing");
  for (int i = 0; i < 2; ++i) {
    repository.perf_compare({"HEAD~1", "HEAD", "--measure", "all", "--pairs", "12:12"});
  }
  std::set<std::size_t> runs;
  for (const auto& build :
       std::filesystem::directory_iterator(repository.cache() / "perf-compare")) {
    runs.insert(content_of(build.path() / "tree" / "runs").size());
  }
  runs.erase(0);
  EXPECT_EQ(runs, std::set<std::size_t>{24});
}

TEST(Compare, ResolvesPins) {
  Claimed repository("100", "120");
  EXPECT_EQ(repository.perf_compare({"pin", "release", "HEAD~1", "--reason", "the last release"})
                .exit_code,
            0);
  const Outcome pins = repository.perf_compare({"pins"});
  EXPECT_TRUE(contains(pins.out, repository.base.substr(0, 10)));
  EXPECT_TRUE(contains(pins.out, "the last release"));
  EXPECT_EQ(repository.perf_compare({"release", "HEAD"}).exit_code, 1);
  EXPECT_EQ(repository.perf_compare({"pin", "main", "HEAD"}).exit_code, 2)
      << "a pin may not hide a ref";
  EXPECT_EQ(repository.perf_compare({"unpin", "release"}).exit_code, 0);
  EXPECT_EQ(repository.perf_compare({"unpin", "release"}).exit_code, 2);
  EXPECT_EQ(repository.perf_compare({"release", "HEAD"}).exit_code, 2);
}

TEST(Compare, KeepsEnvironmentVariablesOutOfStoreAndReports) {
  const Claimed repository;
  const std::string canary = "canary-5f1e7a";
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD", "--json", "-"},
                                                  {{"MY_TOKEN", canary}, {"CI_JOB_TOKEN", canary}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(contains(outcome.out + outcome.err, canary));
  EXPECT_FALSE(contains(content_of(repository.path() / ".perf-compare/results.db"), canary));
}

/// What a compiler of models keeps by its source's hash does not make the other side start warm.
TEST(CompareWarmup, GivesEachCheckoutItsCompilersCaches) {
  const auto compared = [](const std::string& variables) {
    ScratchRepository repository;
    const std::string log = (repository.path().parent_path() / "log").string();
    repository.write("perf-compare.json", R"({ "workloads": [ { "name": "step", "format": "process",
      "command": ["./bench"], "env": {"LOG": ")" +
                                              log + "\"" + variables + "} } ] }");
    for (const char* comment : {"one", "two"}) {
      repository.write("bench",
                       "#!/bin/sh\n# " + std::string(comment) +
                           "\n[ -e \"$TRITON_CACHE_DIR/1f2e\" ] || { sleep 0.3; mkdir -p "
                           "\"$TRITON_CACHE_DIR\"; : > \"$TRITON_CACHE_DIR/1f2e\"; echo "
                           "\"$TRITON_CACHE_DIR\" >> \"$LOG\"; }\nsleep 0.02\n",
                       true);
      repository.commit(comment);
    }
    const Outcome outcome = repository.perf_compare(
        {"HEAD~1", "HEAD", "--metric", "step_time", "--threshold", "50%", "--pairs", "11"},
        {{"TRITON_CACHE_DIR", (repository.path().parent_path() / "shared").string()}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_FALSE(contains(outcome.out, "Improved"));
    std::map<std::string, int> filled;
    std::istringstream lines(content_of(log));
    for (std::string line; std::getline(lines, line);) {
      ++filled[line];
    }
    return filled;
  };
  const std::map<std::string, int> filled = compared("");
  ASSERT_EQ(filled.size(), 2u);
  EXPECT_EQ(filled.begin()->second, filled.rbegin()->second) << "one side started warm";
  EXPECT_EQ(filled.begin()->first.size(), filled.rbegin()->first.size());
  const TemporaryFolder own;
  const std::string given = own.path() / "triton";
  EXPECT_EQ(compared(R"(, "TRITON_CACHE_DIR": ")" + given + "\""),
            (std::map<std::string, int>{{given, 1}}));
}

/// A dear benchmark whose first process fills a cache, which takes longer at head.
TEST(CompareWarmup, SetsAFirstPairThatFillsCachesApart) {
  NEEDS_TRACING();
  ScratchRepository repository;
  repository.write("perf-compare.json", R"({ "workloads": [
    { "name": "dear", "command": ["./bench"], "format": "process" } ] })");
  for (const char* fill : {"0.2", "1.2"}) {
    repository.write("bench",
                     "#!/bin/sh\n[ -e cache ] || { sleep " + std::string(fill) +
                         "; echo filled > cache; }\nsleep 1.05\n",
                     true);
    repository.commit("Fill the cache in " + std::string(fill) + " s");
  }
  const Json report =
      repository.json({"HEAD~1", "HEAD", "--metric", "step_time", "--threshold", "30%"});
  const Json& row = report["comparisons"][0];
  EXPECT_EQ(row["verdict"], "unchanged") << row;
  EXPECT_GE(row["pairs"], 6) << row;
  EXPECT_TRUE(contains(row["notes"].dump(), "the first pair was a warm-up")) << row;
  EXPECT_TRUE(contains(row["notes"].dump(), "(cache)")) << row;
  EXPECT_TRUE(contains(repository.perf_compare({"show"}).out, "warm-up"));
}

}  // namespace
}  // namespace perf::test
