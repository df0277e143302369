// `perf-compare judge` on what the store holds and on report files, as a user runs it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

using Words = std::vector<std::string>;

/// `claimed step_time regressed 30 %, 12 pairs, interval; NOTES` of each comparison, and what else
/// these tests ask of a report.
std::string verdicts_of(const std::string& out) {
  const Json report = Json::parse(out);
  std::string text;
  for (const Json& one : report.at("comparisons")) {
    text += one["workload"].get<std::string>() + " " + one["metric"].get<std::string>() + " " +
            (one["verdict"].is_null() ? "none" : one["verdict"].get<std::string>());
    if (!one["change"].is_null()) {
      text += " " + std::to_string(std::lround(100 * one["change"].get<double>())) + " %";
    }
    text += ", " + one["pairs"].dump() + " pairs, " +
            (one["interval"].is_null() ? "no interval" : "interval") + "; " + one["notes"].dump() +
            one["warnings"].dump() + "\n";
  }
  for (const char* field : {"nothing_ran", "measured", "warnings", "reproduce"}) {
    text += field + (" " + report[field].dump()) + "\n";
  }
  for (const char* side : {"base", "head"}) {
    const Json& revision = report[side];
    text += std::string(side) + ": " + revision["kind"].get<std::string>() + " " +
            revision["name"].get<std::string>() + " " + revision["subject"].dump() + "\n";
  }
  return text + "threshold: " + report["policy"]["threshold"].dump() + "\n";
}

/// Three commits whose benchmark claims 100, 130 and 101 ms.
struct StoredHistory : ClaimedHistory {
  Json report(const Words& arguments, int exit_code) const {
    const Outcome outcome = perf_compare(with_more(arguments, {"--json", "-"}));
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    return outcome.out.empty() ? Json{} : Json::parse(outcome.out);
  }
  /// The summaries of these reports, one command after the other.
  void expect(const std::vector<CommandCase>& cases) const {
    expect_outcomes(cases, [this](const Words& arguments) {
      Outcome outcome = perf_compare(with_more(arguments, {"--json", "-"}));
      outcome.out = outcome.out.empty() ? "" : verdicts_of(outcome.out);
      return outcome;
    });
  }
};

TEST(Stored, JudgesStoredRuns) {
  const StoredHistory repository;
  repository.expect({
      {{"judge", "HEAD~1", "HEAD"},
       3,
       {"claimed step_time inconclusive", "nothing_ran true", "measured 0"}},
      {{"HEAD~2", "HEAD~1", "--pairs", "12"}, 1, {"claimed step_time regressed 30 %"}},
      {{"judge", "HEAD~2", "HEAD~1"}, 1, {"claimed step_time regressed 30 %"}},
      {{"judge", "HEAD~2", "HEAD~1", "--threshold", "60%"}, 0, {"claimed step_time unchanged"}},
      // One side was not measured.
      {{"judge", "HEAD~1", "HEAD"}, 3, {"claimed step_time missing"}},
      {{"judge", "HEAD", "HEAD~1"}, 0, {"claimed step_time new"}},
      // Both were, in different runs.
      {{"HEAD~1", "HEAD", "--pairs", "12"}, 0, {"claimed step_time improved"}},
      {{"judge", "HEAD~2", "HEAD"},
       0,
       {"claimed step_time inconclusive 1 %, 0 pairs, no interval", "no pairs"}},
      // Options are checked as if the pairs were measured now.
      {{"judge", "HEAD~2", "HEAD~1", "--pairs", "5"}, 2, {}},
      {{"judge", "HEAD~2", "HEAD~1", "--metric", "step_tmie"}, 2, {"step_tmie"}},
      {{"judge", "HEAD~1", "HEAD", "--control"}, 2, {"--control"}},
      {{"judge", "HEAD~1", "HEAD", "--count"}, 2, {"--count"}},
      {{"judge", "HEAD~1", "HEAD", "--profile-changes"}, 2, {"--profile-changes"}},
  });
}

// As `compare` says of the same processes.
TEST(Stored, RanksFailuresAsAComparison) {
  StoredHistory repository;
  repository.write("bench", "#!/bin/sh\nexit 3\n", true);
  repository.commit("Break it");
  EXPECT_NE(repository.perf_compare({"collect", "HEAD"}).exit_code, 2);
  repository.expect({
      {{"judge", "HEAD~1", "HEAD"}, 3, {"claimed step_time failed", "head failed: exit status 3"}},
      {{"HEAD~1", "HEAD"}, 3, {"claimed step_time failed", "head failed: exit status 3"}},
      {{"judge", "HEAD~1", "HEAD"}, 3, {"claimed step_time failed", "head failed: exit status 3"}},
      {{"judge", "HEAD", "HEAD~1"}, 0, {"claimed step_time new", "base failed: exit status 3"}},
      {{"judge", "HEAD", "HEAD"}, 3, {"claimed step_time incomparable"}},
  });
}

/// A file of hyperfine with a command `NAME` of eight runs.
std::string hyperfine_of(const std::string& name, double seconds) {
  Json times = Json::array();
  for (int i = 0; i < 8; ++i) {
    times.push_back(seconds * (1 + 0.001 * i));
  }
  return Json{{"results", {{{"command", name}, {"mean", seconds}, {"times", times}}}}}.dump();
}

// As of those who import only: no config names the benchmark.
TEST(Stored, JudgesWhatWasImported) {
  ScratchRepository repository;
  for (const auto& [subject, seconds] :
       std::vector<std::pair<std::string, double>>{{"one", 1}, {"two", 2}}) {
    repository.write("text", subject);
    repository.commit(subject);
    repository.write("../" + subject + ".json", hyperfine_of("sort big", seconds));
    ASSERT_EQ(repository
                  .perf_compare({"import", "hyperfine", "../" + subject + ".json", "--rev", "HEAD",
                                 "--environment", "ci"})
                  .exit_code,
              0);
  }
  const auto judge = [&](Words arguments) {
    arguments.insert(arguments.begin(), "judge");
    return repository.perf_compare(arguments);
  };
  expect_outcomes({{{"HEAD~1", "HEAD"}, 0, {"sort_big", "+100 %"}},
                   {{"HEAD~1", "../two.json", "--environment", "ci"}, 0, {"sort_big", "+100 %"}},
                   {{"../one.json", "HEAD", "--environment", "ci"}, 0, {"sort_big", "+100 %"}},
                   {{"HEAD~1", "HEAD", "-w", "none"}, 2, {"no workload matches: none"}},
                   {{"HAED", "HEAD"}, 2, {"no such file or revision: HAED"}},
                   {{"none.json", "HEAD"}, 2, {"no such file or revision: none.json"}}},
                  judge);
}

TEST(Stored, KnowsWhatFailedInImportedFiles) {
  ScratchRepository repository;
  for (const std::string codes : {"0, 0", "1, 1"}) {
    repository.write("text", codes);
    repository.commit(codes);
    repository.write("../f.json", R"({"results": [{"command": "walk", "times": [1, 1]},
        {"command": "sort big", "times": [1, 1], "exit_codes": [)" +
                                      codes + "]}]}");
    ASSERT_EQ(
        repository.perf_compare({"import", "hyperfine", "../f.json", "--rev", "HEAD"}).exit_code,
        0);
  }
  expect_outcomes(
      {{{"judge", "HEAD~1", "HEAD"},
        3,
        {"Failed: sort_big: head failed: 2 of 2 runs failed: the first exited with 1"}},
       {{"judge", "HEAD", "HEAD~1"}, 0, {"sort_big", "base failed: 2 of 2 runs failed"}},
       {{"trend"}, 0, {}}},
      [&](Words arguments) { return repository.perf_compare(arguments); });
}

TEST(Stored, KnowsWhatAPanicInAnImportedFileLost) {
  ScratchRepository repository;
  const std::string header = "goos: linux\npkg: a.org/kit\ncpu: X\n",
                    result = "-8 \t 100 \t 1000 ns/op\n",
                    panic = "panic: boom\n\nexit status 2\nFAIL\ta.org/kit\t0.2s\nFAIL\n";
  for (const std::string& text :
       {header + "BenchmarkA" + result + "BenchmarkB" + result + "PASS\nok\ta.org/kit\t1s\n",
        header + "BenchmarkA" + result + panic, header + panic}) {
    repository.write("text", text);
    repository.commit("Change text");
    repository.write("../go.txt", text);
    ASSERT_EQ(repository.perf_compare({"import", "go", "../go.txt", "--rev", "HEAD"}).exit_code, 0);
  }
  expect_outcomes({{{"HEAD~2", "HEAD~1"},
                    3,
                    {"a.org/kit/BenchmarkB-8", "head failed: did not finish: panic: boom"}},
                   {{"HEAD~2", "HEAD"}, 3, {"a.org/kit/BenchmarkA-8", "(3 comparisons)"}}},
                  [&](Words arguments) {
                    arguments.insert(arguments.begin(), "judge");
                    return repository.perf_compare(arguments);
                  });
}

TEST(Stored, RepeatsTheVerdictOfTheNewestRunThatReachesALook) {
  const StoredHistory repository;
  const auto judged_run = [&repository] {
    return repository.report({"judge", "HEAD~2", "HEAD~1"}, 1)["warnings"][0].dump();
  };
  const Json measured = repository.report({"HEAD~2", "HEAD~1", "--pairs", "12"}, 1);
  const Json stored = repository.report({"judge", "HEAD~2", "HEAD~1"}, 1);
  for (const char* field :
       {"verdict", "change", "interval", "pairs", "look", "look_alpha", "base"}) {
    EXPECT_EQ(row(stored, "claimed")[field], row(measured, "claimed")[field]) << field;
  }
  EXPECT_EQ(stored["environments"][0]["fingerprint"], measured["environments"][0]["fingerprint"]);
  const Json cut = row(repository.report({"HEAD~2", "HEAD~1", "--budget", "20ms"}, 0), "claimed");
  ASSERT_EQ(cut["verdict"], "inconclusive") << "the later run is to be short";
  ASSERT_GT(cut["base"]["invocations"], 0) << "but to have pairs";
  expect_says(judged_run(), measured["id"]);
  const Json newest = repository.report({"HEAD~2", "HEAD~1", "--pairs", "13"}, 1);
  expect_says(judged_run(), newest["id"]);
}

// Eight hosts of one pool measured head; base itself one of them, and its history the others.
TEST(Stored, JudgesHeadAgainstTheHistoryOfItsPool) {
  ScratchRepository repository;
  repository.write("bench", kClaimedBenchmark, true);
  repository.write("perf-compare.json", kClaimedConfig);
  const auto collect = [&repository](const std::string& work) {
    const std::filesystem::path host = repository.cache() / "perf-compare" / "host";
    std::filesystem::remove(host);  // another runner, which lives for one job
    EXPECT_TRUE(ended(repository.perf_compare({"collect", "HEAD", "--pairs", "2"}), 0)) << work;
  };
  for (int i = 0; i < 13; ++i) {
    repository.write("work", i < 4 ? "150" : "100");  // of three the step is not always seen
    repository.write("note", std::to_string(i));
    repository.commit("Commit " + std::to_string(i));
    collect("base");
  }
  repository.write("work", "130");
  repository.commit("Take 130 ms");
  for (int i = 0; i < 8; ++i) {
    collect("head");
  }
  const auto judged = [&repository](const Words& revisions, int exit_code) {
    return repository.json(with_more(with_more({"judge"}, revisions), {"--history"}), exit_code);
  };
  const Json report = judged({"HEAD~1", "HEAD"}, 1);
  const Json claimed = row(report, "claimed");
  EXPECT_EQ(claimed["verdict"], "regressed");
  EXPECT_NEAR(claimed["change"], 0.3, 0.01);
  EXPECT_TRUE(
      contains(claimed["notes"][0].get<std::string>(), "9 sessions of base (8 of commits before"))
      << claimed["notes"];
  EXPECT_TRUE(contains(report["reproduce"][0].get<std::string>(), " --history"));
  EXPECT_EQ(row(judged({"HEAD~2", "HEAD~1"}, 0), "claimed")["verdict"], "inconclusive")
      << "head has one session";
  EXPECT_EQ(row(judged({"HEAD", "HEAD~1"}, 0), "claimed")["base"]["invocations"], 8)
      << "head's own sessions do not speak for base";
}

TEST(ReportFiles, ReplaceRevisions) {
  StoredHistory repository;
  repository.write("strict.json", R"({
    "workloads": [{"name": "claimed", "command": ["./bench"]}], "policy": {"threshold": "7%"}})");
  repository.write("cases.json", "{\"cases\": {}}");
  repository.write("notes.txt", "notes");
  for (const auto& [base, head, file] :
       {std::tuple{"HEAD~2", "HEAD~1", "slow.json"}, {"HEAD~1", "HEAD", "fast.json"}}) {
    Json report = repository.report({base, head, "--budget", "20ms"}, 0);
    for (Json other : Json(report["comparisons"])) {
      other["workload"] = "other";
      report["comparisons"].push_back(other);
    }
    repository.write(file, report.dump());
  }
  Json foreign = Json::parse(content_of(repository.path() / "fast.json"));
  foreign["environments"][0]["fingerprint"] = "another";
  foreign["environments"][0]["machine"]["cpu_model"] = "another";
  repository.write("foreign.json", foreign.dump());
  foreign["size"] = "smoke";
  repository.write("smoke.json", foreign.dump());
  const Words both{"judge", "slow.json", "fast.json"};
  const auto with = [](Words arguments, const Words& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  std::vector<CommandCase> cases{
      {both,
       0,
       {"claimed step_time inconclusive -2", "other step_time inconclusive",
        "base: files slow.json \"\"", "head: files fast.json \"\"", "threshold: 0.1"}},
      {{"judge", "slow.json", "HEAD"},
       0,
       {"claimed step_time inconclusive -2", "base: files slow.json",
        "head: store HEAD \"Take 101 ms\""}},
      {{"judge", "baseline", "fast.json"}, 0, {"base: store baseline \"Take 130 ms\""}},
      {{"judge", "slow.json", "foreign.json"},
       3,
       {"claimed step_time incomparable", "cpu_model is", "at base, another at head"}},
      {{"judge", "slow.json", "smoke.json"}, 2, {"different sizes: ci, smoke"}},
      {{"judge", "slow.json", "HEAD", "--history"}, 2, {"--history takes two revisions"}},
      {{"slow.json", "HEAD"}, 2, {"perf-compare judge slow.json HEAD"}},
      {{"judge", "nwe.json", "HEAD"}, 2, {"no such file or revision: nwe.json"}},
      {with(both, {"-w", "cl*", "--config", "strict.json"}),
       0,
       {"claimed step_time inconclusive", "threshold: 0.07"}},
      {{"judge", "cases.json", "HEAD"}, 2, {"cases.json"}},
      {{"judge", "notes.txt", "HEAD"}, 2, {"notes.txt"}},
  };
  for (const Words& options : std::vector<Words>{{"-w", "claimde"},
                                                 {"--metric", "step_tmie"},
                                                 {"--count"},
                                                 {"--control"},
                                                 {"--profile-changes"},
                                                 {"--base-set", "layers=1"},
                                                 {"--vary", "layers=1,2"},
                                                 {"--config", "nowhere.json"}}) {
    cases.push_back({with(both, options), 2, {}});
    cases.push_back({with({"judge", "slow.json", "HEAD"}, options), 2, {}});
  }
  repository.expect(cases);
  EXPECT_FALSE(contains(
      repository.report({"judge", "slow.json", "fast.json", "-w", "cl*"}, 0).dump(), "\"other\""));
  // A file comes before a revision of the same name.
  EXPECT_EQ(repository.perf_compare({"pin", "fast.json", "HEAD~1"}).exit_code, 0);
  repository.expect({{{"judge", "fast.json", "HEAD"}, 0, {"base: files fast.json"}}});
}

TEST(ReportFiles, NeedNoRepository) {
  const TemporaryFolder elsewhere;
  const std::string first = PERF_SOURCE_DIR "/tests/schema/formats/files/report_1.json";
  const Outcome older =  // written before there were shards
      run({PERF_BINARY_DIR "/bin/perf-compare", "judge", first, first, "--json", "-"},
          elsewhere.path());
  EXPECT_EQ(row(json_of(older, 0), "training/lm")["change"], 0.0);
}

TEST(ReportFiles, KeepFailuresOfHead) {
  StoredHistory repository, other;
  other.write("bench", "#!/bin/sh\nexit 3\n", true);
  other.commit("Break it");
  repository.write("fine.json",
                   repository.report({"HEAD~1", "HEAD", "--budget", "20ms"}, 0).dump());
  repository.write("broken.json", other.report({"HEAD~1", "HEAD"}, 3).dump());
  repository.expect(
      {{{"judge", "fine.json", "broken.json"}, 3, {"claimed step_time failed", "head failed: "}}});
}

}  // namespace
}  // namespace perf::test
