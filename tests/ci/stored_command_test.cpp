// `perf-compare BASE HEAD --stored`, and report files in place of revisions, as a user runs them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// Three commits whose benchmark claims 100, 130 and 101 ms.
struct Claimed : ScratchRepository {
  Claimed() {
    write("bench", kClaimedBenchmark, true);
    write("perf-compare.json", kClaimedConfig);
    for (const char* work : {"100", "130", "101"}) {
      write("work", work);
      commit(std::string("Take ") + work + " ms");
    }
  }
  Json report(std::vector<std::string> arguments, int exit_code) const {
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = perf_compare(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    return outcome.out.empty() ? Json{} : Json::parse(outcome.out);
  }
};

Json row(const Json& report, const std::string& metric = "step_time") {
  for (const Json& comparison : report.at("comparisons"))
    if (comparison.at("workload") == "claimed" && comparison.at("metric") == metric)
      return comparison;
  ADD_FAILURE() << "no row " << metric << " in " << report.dump(1);
  return {};
}

std::string fingerprint_of(const Json& report) {
  return report.at("environment").at("fingerprint");
}

TEST(Stored, WithNothingStoredIsNotMeasured) {
  const Claimed repository;
  const Json report = repository.report({"HEAD~1", "HEAD", "--stored"}, 3);
  EXPECT_EQ(row(report)["verdict"], "inconclusive");
  EXPECT_EQ(report["nothing_ran"], true);
  EXPECT_EQ(report["measured"], 0);
}

TEST(Stored, MakesTheVerdictOfAStoredRunAgain) {
  const Claimed repository;
  const Json measured = repository.report({"HEAD~2", "HEAD~1"}, 1);
  const Json stored = repository.report({"HEAD~2", "HEAD~1", "--stored"}, 1);
  for (const char* field : {"verdict", "change", "interval", "pairs", "look", "look_alpha", "base"})
    EXPECT_EQ(row(stored)[field], row(measured)[field]) << field;
  EXPECT_EQ(fingerprint_of(stored), fingerprint_of(measured));
  EXPECT_NE(stored["warnings"][0].get<std::string>().find(measured["id"].get<std::string>()),
            std::string::npos);
  EXPECT_EQ(
      row(repository.report({"HEAD~2", "HEAD~1", "--stored", "--threshold", "60%"}, 0))["verdict"],
      "unchanged");
}

TEST(Stored, OfDifferentRunsIsInconclusiveWithTheChange) {
  const Claimed repository;
  repository.report({"HEAD~2", "HEAD~1", "--pairs", "12"}, 1);
  EXPECT_EQ(row(repository.report({"HEAD~1", "HEAD", "--stored"}, 0))["verdict"], "missing");
  EXPECT_EQ(row(repository.report({"HEAD", "HEAD~1", "--stored"}, 0))["verdict"], "new");
  repository.report({"HEAD~1", "HEAD", "--pairs", "12"}, 0);
  const Json apart = row(repository.report({"HEAD~2", "HEAD", "--stored"}, 0));
  EXPECT_EQ(apart["verdict"], "inconclusive");
  EXPECT_NEAR(apart["change"], 0.01, 0.01);
  EXPECT_TRUE(apart["interval"].is_null());
  EXPECT_NE(apart["notes"][0].get<std::string>().find("no pairs"), std::string::npos);
}

TEST(Stored, RefusesWhatWouldMeasure) {
  const Claimed repository;
  for (const char* option : {"--control", "--count", "--profile-changes"})
    EXPECT_EQ(repository.perf_compare({"HEAD~1", "HEAD", "--stored", option}).exit_code, 2);
}

TEST(ReportFiles, StandInForRevisions) {
  const Claimed repository;
  for (const auto& [base, head, file] :
       {std::tuple{"HEAD~2", "HEAD~1", "slow.json"}, {"HEAD~1", "HEAD", "fast.json"}}) {
    std::ofstream(repository.path() / file)
        << repository.perf_compare({base, head, "--json", "-"}).out;
  }
  const Json both = repository.report({"slow.json", "fast.json"}, 0);
  EXPECT_EQ(row(both)["verdict"], "inconclusive");
  EXPECT_NEAR(row(both)["change"], 101.0 / 130 - 1, 0.02);
  EXPECT_EQ(both["base"]["subject"], "Take 130 ms");
  EXPECT_EQ(both["head"]["subject"], "Take 101 ms");

  const Json with_revision = repository.report({"slow.json", "HEAD"}, 0);
  EXPECT_EQ(row(with_revision)["verdict"], "inconclusive");
  EXPECT_NEAR(row(with_revision)["change"], 101.0 / 130 - 1, 0.02);
  const Json with_baseline = repository.report({"baseline", "fast.json"}, 0);
  EXPECT_EQ(with_baseline["base"]["subject"], "Take 130 ms");

  // A name that means something keeps its meaning.
  EXPECT_EQ(repository.perf_compare({"pin", "fast.json", "HEAD~1"}).exit_code, 0);
  EXPECT_EQ(repository.report({"fast.json", "HEAD", "--stored"}, 0)["base"]["subject"],
            "Take 130 ms");

  // No repository is needed.
  const TemporaryFolder elsewhere;
  for (const char* file : {"slow.json", "fast.json"})
    std::filesystem::copy_file(repository.path() / file, elsewhere.path() / file);
  const Outcome outcome =
      run({PERF_BINARY_DIR "/bin/perf-compare", "slow.json", "fast.json", "--json", "-"},
          elsewhere.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(row(Json::parse(outcome.out))["verdict"], "inconclusive");

  // Another machine's numbers are not comparable.
  Json other = Json::parse(read_file(repository.path() / "fast.json"));
  other["environment"]["fingerprint"] = "another";
  other["environment"]["machine"]["cpu_model"] = "another";
  std::ofstream(repository.path() / "other.json") << other.dump();
  EXPECT_EQ(row(repository.report({"slow.json", "other.json"}, 0))["verdict"], "incomparable");
}

TEST(ReportFiles, ThatAreNoneAreRefused) {
  const Claimed repository;
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
