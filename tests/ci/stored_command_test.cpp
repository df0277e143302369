// `perf-compare BASE HEAD --stored`, and report files in place of revisions, as a user runs them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "schema/files/content.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// Three commits whose benchmark claims 100, 130 and 101 ms.
struct StoredHistory : ClaimedHistory {
  Json report(std::vector<std::string> arguments, int exit_code) const {
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = perf_compare(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    return outcome.out.empty() ? Json{} : Json::parse(outcome.out);
  }
};

std::set<std::string> workloads_of(const Json& report) {
  std::set<std::string> names;
  for (const Json& comparison : report.at("comparisons")) {
    names.insert(comparison.at("workload").get<std::string>());
  }
  return names;
}

std::string fingerprint_of(const Json& report) {
  return report.at("environments").at(0).at("fingerprint");
}

TEST(Stored, WithNothingStoredIsNotMeasured) {
  const StoredHistory repository;
  const Json report = repository.report({"HEAD~1", "HEAD", "--stored"}, 3);
  EXPECT_EQ(row(report, "claimed")["verdict"], "inconclusive");
  EXPECT_EQ(report["nothing_ran"], true);
  EXPECT_EQ(report["measured"], 0);
}

TEST(Stored, MakesTheVerdictOfAStoredRunAgain) {
  const StoredHistory repository;
  const Json measured = repository.report({"HEAD~2", "HEAD~1"}, 1);
  const Json stored = repository.report({"HEAD~2", "HEAD~1", "--stored"}, 1);
  for (const char* field :
       {"verdict", "change", "interval", "pairs", "look", "look_alpha", "base"}) {
    EXPECT_EQ(row(stored, "claimed")[field], row(measured, "claimed")[field]) << field;
  }
  EXPECT_EQ(fingerprint_of(stored), fingerprint_of(measured));
  EXPECT_NE(stored["warnings"][0].get<std::string>().find(measured["id"].get<std::string>()),
            std::string::npos);
  EXPECT_EQ(row(repository.report({"HEAD~2", "HEAD~1", "--stored", "--threshold", "60%"}, 0),
                "claimed")["verdict"],
            "unchanged");
}

TEST(Stored, PrefersARunThatReachesALookToALaterShorterOne) {
  const StoredHistory repository;
  const std::string first = repository.report({"HEAD~2", "HEAD~1", "--pairs", "12"}, 1)["id"];
  const Json cut = row(repository.report({"HEAD~2", "HEAD~1", "--budget", "20ms"}, 0), "claimed");
  ASSERT_EQ(cut["verdict"], "inconclusive") << "the later run is to be short";
  ASSERT_GT(cut["base"]["invocations"], 0) << "but to have pairs";
  const Json again = repository.report({"HEAD~2", "HEAD~1", "--stored"}, 1);
  EXPECT_EQ(row(again, "claimed")["verdict"], "regressed");
  EXPECT_NE(again["warnings"][0].get<std::string>().find(first), std::string::npos);
  const std::string newest = repository.report({"HEAD~2", "HEAD~1", "--pairs", "13"}, 1)["id"];
  EXPECT_NE(
      repository.report({"HEAD~2", "HEAD~1", "--stored"}, 1)["warnings"][0].get<std::string>().find(
          newest),
      std::string::npos);

  // What is asked of stored pairs is checked as if they were measured now.
  EXPECT_EQ(repository.perf_compare({"HEAD~2", "HEAD~1", "--stored", "--pairs", "5"}).exit_code, 2);
  EXPECT_EQ(
      repository.perf_compare({"HEAD~2", "HEAD~1", "--stored", "--metric", "step_tmie"}).exit_code,
      2);
}

TEST(Stored, OfDifferentRunsIsInconclusiveWithTheChange) {
  const StoredHistory repository;
  repository.report({"HEAD~2", "HEAD~1", "--pairs", "12"}, 1);
  EXPECT_EQ(row(repository.report({"HEAD~1", "HEAD", "--stored"}, 0), "claimed")["verdict"],
            "missing");
  EXPECT_EQ(row(repository.report({"HEAD", "HEAD~1", "--stored"}, 0), "claimed")["verdict"], "new");
  repository.report({"HEAD~1", "HEAD", "--pairs", "12"}, 0);
  const Json apart = row(repository.report({"HEAD~2", "HEAD", "--stored"}, 0), "claimed");
  EXPECT_EQ(apart["verdict"], "inconclusive");
  EXPECT_NEAR(apart["change"], 0.01, 0.01);
  EXPECT_TRUE(apart["interval"].is_null());
  EXPECT_NE(apart["notes"][0].get<std::string>().find("no pairs"), std::string::npos);
}

// Eight hosts of one pool measured head; base itself one of them, and its history the others.
TEST(Stored, JudgesHeadAgainstTheHistoryOfItsPool) {
  ScratchRepository repository;
  repository.write("bench", kClaimedBenchmark, true);
  repository.write("perf-compare.json", kClaimedConfig);
  const auto collect = [&repository](const std::string& work) {
    const std::filesystem::path host = repository.cache() / "perf-compare" / "host";
    std::filesystem::remove(host);  // another runner, which lives for one job
    const Outcome outcome = repository.perf_compare({"collect", "HEAD", "--pairs", "2"});
    EXPECT_EQ(outcome.exit_code, 0) << work << outcome.err;
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
  const auto judged = [&repository](const std::vector<std::string>& revisions, int exit_code) {
    std::vector<std::string> command = revisions;
    command.insert(command.end(), {"--history", "--json", "-"});
    const Outcome outcome = repository.perf_compare(command);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err << outcome.out;
    return Json::parse(outcome.out);
  };
  const Json report = judged({"HEAD~1", "HEAD"}, 1);
  const Json claimed = row(report, "claimed");
  EXPECT_EQ(claimed["verdict"], "regressed");
  EXPECT_NEAR(claimed["change"], 0.3, 0.01);
  EXPECT_NE(claimed["notes"][0].get<std::string>().find("9 sessions of base (8 of commits before"),
            std::string::npos)
      << claimed["notes"];
  EXPECT_NE(report["reproduce"][0].get<std::string>().find(" --history"), std::string::npos);
  EXPECT_EQ(row(judged({"HEAD~2", "HEAD~1"}, 0), "claimed")["verdict"], "inconclusive")
      << "head has one session";
  EXPECT_EQ(row(judged({"HEAD", "HEAD~1"}, 0), "claimed")["base"]["invocations"], 8)
      << "head's own sessions do not speak for base";
  EXPECT_EQ(repository.perf_compare({"HEAD~1", "HEAD", "--history", "--count"}).exit_code, 2);
}

TEST(Stored, RefusesWhatWouldMeasure) {
  const StoredHistory repository;
  for (const char* option : {"--control", "--count", "--profile-changes"}) {
    EXPECT_EQ(repository.perf_compare({"HEAD~1", "HEAD", "--stored", option}).exit_code, 2);
  }
}

TEST(ReportFiles, StandInForRevisions) {
  const StoredHistory repository;
  for (const auto& [base, head, file] :
       {std::tuple{"HEAD~2", "HEAD~1", "slow.json"}, {"HEAD~1", "HEAD", "fast.json"}}) {
    std::ofstream(repository.path() / file)
        << repository.perf_compare({base, head, "--json", "-"}).out;
  }
  const Json both = repository.report({"slow.json", "fast.json"}, 0);
  EXPECT_EQ(row(both, "claimed")["verdict"], "inconclusive");
  EXPECT_NEAR(row(both, "claimed")["change"], 101.0 / 130 - 1, 0.02);
  EXPECT_EQ(both["base"]["subject"], "Take 130 ms");
  EXPECT_EQ(both["head"]["subject"], "Take 101 ms");

  const Json with_revision = repository.report({"slow.json", "HEAD"}, 0);
  EXPECT_EQ(row(with_revision, "claimed")["verdict"], "inconclusive");
  EXPECT_NEAR(row(with_revision, "claimed")["change"], 101.0 / 130 - 1, 0.02);
  const Json with_baseline = repository.report({"baseline", "fast.json"}, 0);
  EXPECT_EQ(with_baseline["base"]["subject"], "Take 130 ms");

  // A name that means something keeps its meaning.
  EXPECT_EQ(repository.perf_compare({"pin", "fast.json", "HEAD~1"}).exit_code, 0);
  EXPECT_EQ(repository.report({"fast.json", "HEAD", "--stored"}, 0)["base"]["subject"],
            "Take 130 ms");

  // No repository is needed.
  const TemporaryFolder elsewhere;
  for (const char* file : {"slow.json", "fast.json"}) {
    std::filesystem::copy_file(repository.path() / file, elsewhere.path() / file);
  }
  const Outcome outcome =
      run({PERF_BINARY_DIR "/bin/perf-compare", "slow.json", "fast.json", "--json", "-"},
          elsewhere.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(row(Json::parse(outcome.out), "claimed")["verdict"], "inconclusive");

  // What was written before there were shards is read as well.
  const std::string first = PERF_SOURCE_DIR "/tests/schema/formats/files/report_1.json";
  const Outcome older =
      run({PERF_BINARY_DIR "/bin/perf-compare", first, first, "--json", "-"}, elsewhere.path());
  ASSERT_EQ(older.exit_code, 0) << older.err;
  EXPECT_EQ(row(Json::parse(older.out), "training/lm")["change"], 0.0);

  // Another machine's numbers are not comparable.
  Json other = Json::parse(content_of(repository.path() / "fast.json"));
  other["environments"][0]["fingerprint"] = "another";
  other["environments"][0]["machine"]["cpu_model"] = "another";
  std::ofstream(repository.path() / "other.json") << other.dump();
  EXPECT_EQ(row(repository.report({"slow.json", "other.json"}, 0), "claimed")["verdict"],
            "incomparable");
}

TEST(ReportFiles, AreFilteredAndTakeTheConfigThatIsNamed) {
  const StoredHistory repository;
  std::ofstream(repository.path() / "strict.json") << R"({
    "workloads": [{"name": "claimed", "command": ["./bench"]}], "policy": {"threshold": "7%"}})";
  for (const auto& [base, head, file] :
       {std::tuple{"HEAD~2", "HEAD~1", "slow.json"}, {"HEAD~1", "HEAD", "fast.json"}}) {
    Json report = repository.report({base, head, "--budget", "20ms"}, 0);
    for (Json other : Json(report["comparisons"])) {
      other["workload"] = "other";
      report["comparisons"].push_back(other);
    }
    std::ofstream(repository.path() / file) << report.dump();
  }
  const Json all = repository.report({"slow.json", "fast.json"}, 0);
  EXPECT_EQ(workloads_of(all), (std::set<std::string>{"claimed", "other"}));
  EXPECT_EQ(all["policy"]["threshold"], 0.1);
  const Json chosen =
      repository.report({"slow.json", "fast.json", "-w", "cl*", "--config", "strict.json"}, 0);
  EXPECT_EQ(workloads_of(chosen), std::set<std::string>{"claimed"});
  EXPECT_EQ(row(chosen, "claimed")["verdict"], "inconclusive");
  EXPECT_EQ(chosen["policy"]["threshold"], 0.07);
  for (const std::vector<std::string>& asked :
       std::vector<std::vector<std::string>>{{"-w", "claimde"},
                                             {"--metric", "step_tmie"},
                                             {"--count"},
                                             {"--control"},
                                             {"--profile-changes"},
                                             {"--base-set", "layers=1"},
                                             {"--vary", "layers=1,2"},
                                             {"--config", "nowhere.json"}}) {
    std::vector<std::string> arguments{"slow.json", "fast.json"};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    EXPECT_EQ(repository.perf_compare(arguments).exit_code, 2) << asked.front();
    arguments[1] = "HEAD";
    EXPECT_EQ(repository.perf_compare(arguments).exit_code, 2) << asked.front();
  }
}

TEST(ReportFiles, WhatFailedAtHeadHasFailed) {
  const StoredHistory repository;
  std::ofstream(repository.path() / "fine.json")
      << repository.perf_compare({"HEAD~1", "HEAD", "--budget", "20ms", "--json", "-"}).out;
  StoredHistory other;
  other.write("bench", "#!/bin/sh\nexit 3\n", true);
  other.commit("Break it");
  const Outcome failed = other.perf_compare({"HEAD~1", "HEAD", "--json", "-"});
  EXPECT_EQ(failed.exit_code, 3);
  std::ofstream(repository.path() / "broken.json") << failed.out;
  const Json row_of_failure = row(repository.report({"fine.json", "broken.json"}, 3), "claimed");
  EXPECT_EQ(row_of_failure["verdict"], "failed");
  EXPECT_NE(row_of_failure["warnings"][0].get<std::string>().find("head failed: "),
            std::string::npos);
}

TEST(ReportFiles, ThatAreNoneAreRefused) {
  const StoredHistory repository;
  std::ofstream(repository.path() / "other.json") << "{\"cases\": {}}";
  std::ofstream(repository.path() / "notes.txt") << "notes";
  const Outcome json = repository.perf_compare({"other.json", "HEAD"});
  EXPECT_EQ(json.exit_code, 2);
  EXPECT_NE(json.err.find("other.json:1:1"), std::string::npos) << json.err;
  const Outcome text = repository.perf_compare({"notes.txt", "HEAD"});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_NE(text.err.find("no such revision"), std::string::npos) << text.err;
}

}  // namespace
}  // namespace perf::test
