// `perf-compare ratchet` as a program drives it: candidates against a best that moves.

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/ci/scratch_repository.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// A benchmark that claims `work` ms a step with noise of .25 %, and reports a check as the file
/// `check` says: pass, fail or none.
const std::string kCheckedBenchmark = R"sh(#!/bin/sh
exec awk -v work="$(cat work)" -v check="$(cat check)" -v seed="$PERF_COMPARE_SEED" -v pid="$$" -v steps="$PERF_COMPARE_STEPS" 'BEGIN {
  srand(seed % 1000000 + pid)
  print "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"claimed\",\"params\":{}}"
  shift = 1 + 0.005 * (rand() - 0.5)
  for (i = 0; i < steps + 1; i++)
    printf "{\"type\":\"step\",\"index\":%d,\"warmup\":%s,\"seconds\":%.9f}\n", i, i == 0 ? "true" : "false", work / 1000 * shift
  if (check != "none")
    printf "{\"type\":\"check\",\"name\":\"sum\",\"passed\":%s}\n", check == "pass" ? "true" : "false"
  print "{\"type\":\"end\"}"
}' > "$PERF_COMPARE_OUT"
)sh";
const std::string kOneWorkload =
    R"({ "workloads": [ { "name": "claimed", "command": ["./bench"] } ] })";

struct Candidates : ScratchRepository {
  Candidates() {
    write("bench", kCheckedBenchmark, true);
    write("perf-compare.json", kOneWorkload);
    start = candidate("100", "pass");
    pin(start);
  }

  /// A commit whose benchmark claims so many ms, and this check.
  std::string candidate(const std::string& work, const std::string& check = "pass") {
    write("work", work);
    write("check", check);
    return commit("Claim " + work + " ms, check " + check);
  }
  void pin(const std::string& oid) const {
    ASSERT_EQ(perf_compare({"pin", "best", oid}).exit_code, 0);
  }
  std::string best() const { return Json::parse(log().out)["best"]; }
  Outcome log(const std::vector<std::string>& more = {}) const {
    return perf_compare(with_more({"ratchet", "best", "--log", "--json", "-"}, more));
  }
  /// The answer, with the exit code as "exit".
  Json attempt(const std::string& oid, const std::vector<std::string>& more = {}) const {
    const Outcome outcome = perf_compare(with_more({"ratchet", "best", oid, "--json", "-"}, more));
    Json answer = outcome.out.empty() ? Json::object() : Json::parse(outcome.out);
    answer["exit"] = outcome.exit_code;
    answer["stderr"] = outcome.err;
    return answer;
  }

  std::string start;
};

TEST(Ratchet, AcceptsWhatIsProvenBetter) {
  Candidates repository;
  const std::string faster = repository.candidate("97");
  const Json trial = repository.attempt(faster, {"--dry-run"});
  EXPECT_EQ(trial["exit"], 0) << trial;
  EXPECT_EQ(trial["outcome"], "proven");
  EXPECT_EQ(repository.best(), repository.start);

  const Json answer = repository.attempt(faster);
  EXPECT_EQ(answer["exit"], 0) << answer;
  EXPECT_EQ(answer["schema"], "perf-compare/ratchet/1");
  EXPECT_EQ(answer["outcome"], "accepted");
  EXPECT_EQ(answer["attempt"], 2);
  EXPECT_NEAR(answer["gain"], 100.0 / 97 - 1, 0.004);
  EXPECT_LE(answer["pairs"], 40);
  EXPECT_EQ(repository.best(), faster);
  EXPECT_TRUE(contains(repository.perf_compare({"pins", "--log"}).out, "ratchet: attempt 2"));
  EXPECT_TRUE(contains(repository.perf_compare({"list"}).out, "ratchet"));
  expect_outcomes({{{"show", answer["run"]}, 0, {"97 ms"}},
                   {{"report", answer["run"]}, 2, {"an attempt of a ratchet", "--log"}}},
                  [&](const std::vector<std::string>& arguments) {
                    return repository.perf_compare(arguments);
                  });

  const Outcome page = repository.perf_compare({"ratchet", "best", "--log"});
  EXPECT_TRUE(contains(page.out, "1 of 2 attempts accepted"));
}

TEST(Ratchet, AcceptsNothingElse) {
  Candidates repository;
  struct Case {
    std::string work, check, outcome;
  };
  // A program that differs and claims the same; slower; better, but by less than 1 %; wrong;
  // without its check.
  const std::vector<Case> cases{{"100.0", "pass", "refused"},
                                {"103", "pass", "refused"},
                                {"99.6", "pass", "refused"},
                                {"90", "fail", "check failed"},
                                {"90", "none", "check failed"}};
  int attempts = 0;
  for (const Case& one : cases) {
    const std::string oid = repository.candidate(one.work, one.check);
    const Json answer = repository.attempt(oid);
    EXPECT_EQ(answer["exit"], 1) << answer;
    EXPECT_EQ(answer["outcome"], one.outcome) << answer;
    EXPECT_EQ(answer["attempt"], ++attempts);
    const Json again = repository.attempt(oid);
    EXPECT_EQ(again["repeated"], true) << again;
    EXPECT_EQ(again["outcome"], one.outcome);
  }
  EXPECT_EQ(repository.best(), repository.start);
  EXPECT_EQ(Json::parse(repository.log().out)["attempts"].size(), cases.size());
}

TEST(Ratchet, AnswersTheSameProgramWithoutAnAttempt) {
  NEEDS_TRACING();
  Candidates repository;
  repository.write("unrelated.txt", "nobody reads it");
  const Json answer = repository.attempt(repository.commit("Write another file"));
  EXPECT_EQ(answer["exit"], 1) << answer;
  EXPECT_EQ(answer["outcome"], "same program");
  EXPECT_TRUE(answer["attempt"].is_null());
  EXPECT_EQ(repository.attempt(repository.start)["outcome"], "same program");

  // A rejected program under another commit.
  const std::string slower = repository.candidate("103");
  EXPECT_EQ(repository.attempt(slower)["outcome"], "refused");
  repository.write("unrelated.txt", "still nobody");
  const Json same = repository.attempt(repository.commit("Write it again"));
  EXPECT_EQ(same["repeated"], true) << same;
  EXPECT_EQ(same["attempt"], 1);
}

TEST(Ratchet, DoesNotMeasureWhatFails) {
  Candidates repository;
  repository.write("bench", "#!/bin/sh\nexit 7\n", true);
  const std::string broken = repository.commit("Break it");
  const Json answer = repository.attempt(broken);
  EXPECT_EQ(answer["exit"], 3) << answer;
  EXPECT_EQ(answer["outcome"], "failed");
  EXPECT_TRUE(contains(answer["reason"], "exit status 7")) << answer;
}

TEST(Ratchet, GuardsOtherMetrics) {
  Candidates repository;
  repository.write("bench",
                   "#!/bin/sh\nhead -c 60000000 /dev/zero | tail -c 60000000 > /dev/null\n" +
                       kCheckedBenchmark.substr(kCheckedBenchmark.find('\n') + 1),
                   true);
  const Json answer = repository.attempt(repository.candidate("90"));
  EXPECT_EQ(answer["exit"], 1) << answer;
  EXPECT_EQ(answer["outcome"], "worse");
  EXPECT_TRUE(contains(answer["reason"], "peak_rss of claimed")) << answer;
}

TEST(Ratchet, GoesOnWhereItWasStopped) {
  Candidates repository;
  const std::string faster = repository.candidate("98.4");
  const Json stopped = repository.attempt(faster, {"--budget", "100ms"});
  EXPECT_EQ(stopped["exit"], 1) << stopped;
  ASSERT_EQ(stopped["outcome"], "stopped") << stopped;
  const Json answer = repository.attempt(faster);
  EXPECT_EQ(answer["outcome"], "accepted") << answer;
  EXPECT_EQ(answer["attempt"], 2);
  const std::vector<double> before = stopped["pair_gains"], after = answer["pair_gains"];
  ASSERT_FALSE(before.empty());
  ASSERT_GT(after.size(), before.size());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
}

// Head may report a metric only where it is good.
TEST(Ratchet, MissesWhatSomeRunsDoNotReport) {
  Candidates repository;
  std::string bench = kCheckedBenchmark;
  bench.insert(bench.find("  print \"{\\\"type\\\":\\\"end"),
               R"(  if (work == 100 || seed % 10 == 0)
    print "{\"type\":\"metric\",\"name\":\"rate\",\"unit\":\"1/s\",\"better\":\"higher\",\"value\":99,\"judge\":true}"
)");
  repository.write("bench", bench, true);
  repository.pin(repository.candidate("100"));
  const Json answer = repository.attempt(repository.candidate("90"));
  EXPECT_EQ(answer["exit"], 1) << answer;
  EXPECT_TRUE(contains(answer["reason"], "rate of claimed is missing in runs of head")) << answer;
}

// It slows the checkout of the best: in each run, or from its first pair on, which no trace shows.
TEST(Ratchet, RejectsCandidatesThatWriteIntoTheBest) {
  for (const char* from : {"1", "4"}) {
    Candidates repository;
    const std::string runs = repository.cache().string() + "/runs",
                      trees = repository.cache().string() + "/perf-compare/*/tree";
    repository.write("bench",
                     "#!/bin/sh\necho x >> " + runs + "\n[ $(wc -l < " + runs + ") -lt " + from +
                         " ] || for t in " + trees +
                         "; do grep -q runs $t/bench || echo 200 > $t/work; done\n" +
                         kCheckedBenchmark.substr(10),
                     true);
    const Json answer = repository.attempt(repository.candidate("100.1"));
    EXPECT_EQ(answer["exit"], 3) << from << answer;
    EXPECT_EQ(repository.best(), repository.start);
  }
}

// Each time in the middle of a pair: what a killed process leaves is no pair, and no failure.
TEST(Ratchet, GoesOnAfterBeingKilled) {
  Candidates repository;
  const std::string faster = repository.candidate("98.4");
  for (int times = 0; times < 3; ++times) {
    const Outcome killed =
        run({PERF_BINARY_DIR "/bin/perf-compare", "ratchet", "best", faster, "-v"},
            repository.path(), {}, "pair 2", SIGKILL);
    ASSERT_EQ(killed.exit_code, 128 + SIGKILL) << killed.err;
  }
  const Json answer = repository.attempt(faster);
  EXPECT_EQ(answer["outcome"], "accepted") << answer;
  EXPECT_EQ(answer["attempt"], 4);
}

TEST(Ratchet, MeasuresWhatTheConfigOfTheBestNames) {
  Candidates repository;
  repository.write("cheat", kCheckedBenchmark, true);
  repository.write("perf-compare.json",
                   R"({ "policy": {"threshold": "900%"},
                        "workloads": [ { "name": "claimed", "command": ["sh", "-c", "echo -n 50 > work; ./bench"] } ] })");
  const std::string cheating = repository.candidate("103");
  EXPECT_EQ(repository.attempt(cheating)["outcome"], "refused");
  repository.write("perf-compare.json", "{");
  EXPECT_EQ(repository.attempt(repository.candidate("97"))["outcome"], "accepted");
}

TEST(Ratchet, RemembersNothingOfAnotherBenchmark) {
  Candidates repository;
  const TemporaryFolder outside;
  const auto write_bench = [&outside](const std::string& check) {
    std::ofstream(outside.path() / "perf-compare.json")
        << R"({ "workloads": [ { "name": "claimed", "command": ["sh", "-c", ". \"$PERF_COMPARE_CONFIG_DIR/bench\""] } ] })";
    std::ofstream(outside.path() / "bench") << kCheckedBenchmark << "\n# check " << check << "\n";
  };
  const std::string config = (outside.path() / "perf-compare.json").string();
  const std::string slower = repository.candidate("103");
  write_bench("one");
  EXPECT_EQ(repository.attempt(slower, {"--config", config})["outcome"], "refused");
  EXPECT_EQ(repository.attempt(slower, {"--config", config})["repeated"], true);
  write_bench("another");
  const Json anew = repository.attempt(slower, {"--config", config});
  EXPECT_EQ(anew["repeated"], false) << anew;
  EXPECT_EQ(anew["attempt"], 2);
}

// Four candidates, each 3 % better than the best of the beginning: one is accepted, the others are
// measured again and are no better than that. A fifth was killed, which costs a number.
TEST(Ratchet, AcceptsOneOfSeveralAtOnce) {
  Candidates repository;
  std::vector<std::string> oids;
  for (const char* work : {"97.0", "97.00", "97.000", "97.0000", "97.00000"}) {
    oids.push_back(repository.candidate(work));
  }
  const std::string killed = oids.back();
  oids.pop_back();
  const Outcome dead = run({PERF_BINARY_DIR "/bin/perf-compare", "ratchet", "best", killed, "-v"},
                           repository.path(), {}, "pair 2", SIGKILL);
  EXPECT_EQ(dead.exit_code, 128 + SIGKILL);
  std::vector<std::future<Json>> answers;
  for (const std::string& oid : oids) {
    answers.push_back(
        std::async(std::launch::async, [&repository, oid] { return repository.attempt(oid); }));
  }
  int accepted = 0;
  for (std::future<Json>& one : answers) {
    const Json answer = one.get();
    accepted += answer["outcome"] == "accepted" ? 1 : 0;
    EXPECT_TRUE(answer["outcome"] == "accepted" || answer["outcome"] == "refused") << answer;
  }
  EXPECT_EQ(accepted, 1);
  EXPECT_EQ(repository.attempt(killed)["outcome"], "refused");
  std::set<int> numbers;
  const Json log = Json::parse(repository.log().out);
  for (const Json& one : log["attempts"]) {
    EXPECT_TRUE(numbers.insert(one["attempt"].get<int>()).second) << "two have one number";
  }
}

TEST(Ratchet, MeasuresTheWholeGain) {
  Candidates repository;
  Json last;
  for (const char* work : {"97", "94", "91", "88", "85"}) {
    last = repository.attempt(repository.candidate(work));
    ASSERT_EQ(last["outcome"], "accepted") << last;
  }
  const double truth = 100.0 / 85 - 1;
  ASSERT_TRUE(last["whole_gain"].is_object()) << last;
  EXPECT_EQ(last["whole_gain"]["start"], repository.start);
  EXPECT_EQ(last["whole_gain"]["pairs"], 20);
  EXPECT_LE(last["whole_gain"]["interval"][0], truth);
  EXPECT_GE(last["whole_gain"]["interval"][1], truth);
  const Json log = Json::parse(repository.log({"--measure"}).out);
  EXPECT_EQ(log["whole_gains"].size(), 2U);
  EXPECT_NEAR(log["claimed"], truth, 0.01);
}

TEST(Ratchet, RefusesWhatItCannotDo) {
  Candidates repository;
  expect_outcomes({{{"ratchet", "best", "."}, 2, {"ratchet needs a commit"}},
                   {{"ratchet", "none", "HEAD"}, 2, {"no such baseline", "perf-compare pin none"}},
                   {{"ratchet", "best", "--measure"}, 2, {"--measure requires --log"}},
                   {{"ratchet", "best", "HEAD", "--log"}, 2, {"--log cannot be combined"}},
                   {{"ratchet", "best", "--metric", "a", "--metric", "b"}, 2, {"one metric"}},
                   {{"ratchet", "best", "--at-least", "0%"}, 2, {"--at-least"}}},
                  [&](const std::vector<std::string>& arguments) {
                    return repository.perf_compare(arguments);
                  });
  repository.write("work", "97");
  EXPECT_EQ(repository.attempt(repository.commit("Faster"), {"--metric", "tokens"})["exit"], 2);
}

}  // namespace
}  // namespace perf::test
