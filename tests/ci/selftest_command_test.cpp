// `perf-compare selftest` as a user runs it: real processes on scratch repositories.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"
#include "tests/sanitized.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// A repository with one benchmark.
struct Subject : ScratchRepository {
  explicit Subject(const std::string& program, const std::string& play) {
    write("perf-compare.json",
          Json({{"workloads", {{{"name", "bench"}, {"command", {program, play}}}}}}).dump());
    commit("Add a benchmark");
  }

  Json selftest(const std::vector<std::string>& more, int expected_exit) {
    const Outcome outcome =
        perf_compare(with_more({"selftest", "--json", "-", "--seed", "1"}, more));
    EXPECT_EQ(outcome.exit_code, expected_exit) << outcome.out << outcome.err;
    errors = outcome.err;
    return Json::accept(outcome.out) ? Json::parse(outcome.out) : Json::object();
  }

  std::string errors;
};

/// Tests that plant memory, and see it.
class SelftestOfMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) {
      GTEST_SKIP() << "the sanitizer's own memory is in the way";
    }
  }
};

Json rows_of(const Json& selftest, const std::string& kind) {
  Json rows = Json::array();
  for (const Json& row : selftest.at("rows")) {
    if (row.at("planted").at("kind") == kind) {
      rows.push_back(row);
    }
  }
  return rows;
}

/// One run of a workload that plants by itself, looked at by several tests.
struct Claims {
  Subject subject{PLANTING_BENCHMARK, "claims"};
  Outcome outcome = subject.perf_compare({"selftest", "-w", "bench", "--json", "r.json", "--seed",
                                          "1", "--markdown", "r.md", "--html", "r.html"});
  Json selftest = Json::parse(content_of(subject.path() / "r.json"), nullptr, false);
};
const Claims& claims() {
  static const Claims made;
  return made;
}

TEST_F(SelftestOfMemory, CatchesPlantsOfTheWorkload) {
  EXPECT_EQ(claims().outcome.exit_code, 0) << claims().outcome.err;
  const Json& selftest = claims().selftest;
  EXPECT_EQ(selftest.at("schema"), "perf-compare/selftest/1");
  EXPECT_EQ(selftest.at("state"), "works");
  EXPECT_EQ(selftest.at("size"), "smoke");
  EXPECT_EQ(rows_of(selftest, "nothing").size(), 2U);
  for (const Json& row : rows_of(selftest, "nothing")) {
    EXPECT_EQ(row.at("outcome"), "passed");
  }
  const Json slowdown = rows_of(selftest, "slowdown").at(0);
  EXPECT_EQ(slowdown.at("outcome"), "caught");
  EXPECT_EQ(slowdown.at("planted").at("way"), "parameter");
  EXPECT_NEAR(slowdown.at("change"), 0.15, 0.01);
  const Json allocation = rows_of(selftest, "allocation").at(0);
  EXPECT_EQ(allocation.at("outcome"), "caught");
  EXPECT_EQ(allocation.at("metric"), "peak_rss");
  EXPECT_EQ(allocation.at("planted").at("way"), "parameter");
}

TEST_F(SelftestOfMemory, IsStoredApart) {
  const auto query = [&](const std::string& sql) {
    return run({"sqlite3", ".perf-compare/results.db", sql}, claims().subject.path()).out;
  };
  EXPECT_EQ(query("SELECT purpose, count(*) FROM run GROUP BY purpose"), "selftest|3\n");
  EXPECT_EQ(query("SELECT count(*) FROM steps"), "0\n") << "nothing planted may pass for history";
  const std::string warnings = query("SELECT warnings FROM run ORDER BY key LIMIT 1 OFFSET 1");
  EXPECT_TRUE(contains_all(warnings, {"\"planted\"", "bench"}));
}

TEST_F(SelftestOfMemory, PlantsMoreForALargerThreshold) {
  Subject subject(PLANTING_BENCHMARK, "claims");
  const Json selftest = subject.selftest({"--threshold", "40%"}, 0);
  EXPECT_NEAR(rows_of(selftest, "slowdown").at(0).at("planted").at("amount"), 0.6, 1e-9);
  EXPECT_NEAR(rows_of(selftest, "slowdown").at(0).at("change"), 0.6, 0.02);
}

TEST(Selftest, FailsIfTheGateMissesAPlant) {
  Subject subject(PLANTING_BENCHMARK, "deaf");
  const Json selftest = subject.selftest({}, 1);
  EXPECT_EQ(selftest.at("state"), "broken");
  EXPECT_EQ(rows_of(selftest, "slowdown").at(0).at("outcome"), "missed");
  EXPECT_EQ(rows_of(selftest, "allocation").at(0).at("outcome"), "missed");
}

TEST_F(SelftestOfMemory, PrintsOneSentenceFirst) {
  const Outcome& outcome = claims().outcome;
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find(
                "The gate works: 2 of 2 planted changes were caught, and A/A raised no alarm\n"),
            0U)
      << outcome.out;
  EXPECT_EQ(content_of(claims().subject.path() / "r.md").find("### ✅ The gate works: 2 of 2"), 0U);
  EXPECT_TRUE(contains(content_of(claims().subject.path() / "r.html"), "The gate works"));
  EXPECT_EQ(claims().subject.perf_compare({"selftest", "no-such-revision"}).exit_code, 2);
  EXPECT_EQ(claims().subject.perf_compare({"selftest", "-w", "other"}).exit_code, 2);
}

// Its times are real: what is asked of them holds on a busy machine too, where a stop that falls
// into waiting for a processor costs nothing, and selftest says so. The share that a child is
// stopped for is tested where it is made (tests/collector/process/stop_and_go_test.cpp).
TEST_F(SelftestOfMemory, PlantsAroundAnyCommandFromOutside) {
  Subject subject(PLANTING_BENCHMARK, "works");
  const Outcome outcome =
      subject.perf_compare({"selftest", "--json", "-", "--seed", "1", "--threshold", "50%"});
  const Json selftest = Json::parse(outcome.out);
  const Json slowdown = rows_of(selftest, "slowdown").at(0);
  EXPECT_EQ(slowdown.at("planted").at("way"), "stop_and_go");
  EXPECT_GT(slowdown.at("change"), 0) << outcome.out;
  const std::string why = slowdown.at("why");
  EXPECT_TRUE(slowdown.at("outcome") == "caught" || why.find("too busy") != std::string::npos)
      << slowdown;
  const Json allocation = rows_of(selftest, "allocation").at(0);
  EXPECT_EQ(allocation.at("planted").at("way"), "preload");
  EXPECT_EQ(allocation.at("outcome"), "caught") << allocation;
  EXPECT_GT(allocation.at("change"), 0.6);
}

TEST_F(SelftestOfMemory, RefusesToStopWithinShortSteps) {
  Subject subject(PLANTING_BENCHMARK, "hurries");
  const Json selftest = subject.selftest({"--threshold", "50%"}, 3);
  EXPECT_EQ(selftest.at("state"), "unproven");
  const Json slowdown = rows_of(selftest, "slowdown").at(0);
  EXPECT_EQ(slowdown.at("outcome"), "refused");
  EXPECT_TRUE(slowdown.at("verdict").is_null());
  EXPECT_TRUE(contains(slowdown.at("why").get<std::string>(), "too short"));
  EXPECT_EQ(rows_of(selftest, "allocation").at(0).at("outcome"), "caught");
}

TEST(Selftest, RefusesToPreloadIntoAStaticProgram) {
  Subject subject(STATIC_BENCHMARK, "hurries");
  const Json allocation = rows_of(subject.selftest({"--threshold", "50%"}, 3), "allocation").at(0);
  EXPECT_EQ(allocation.at("outcome"), "refused");
  EXPECT_TRUE(contains(allocation.at("why").get<std::string>(), "linked statically"));
}

TEST(Selftest, KeepsMeasurementsWithoutTheLibrary) {
  const Subject subject(PLANTING_BENCHMARK, "hurries");
  const TemporaryFolder elsewhere;
  std::filesystem::copy_file(PERF_BINARY_DIR "/bin/perf-compare",
                             elsewhere.path() / "perf-compare");
  const Outcome outcome = run({elsewhere.path() / "perf-compare", "selftest", "--json", "-",
                               "--seed", "1", "--threshold", "50%"},
                              subject.path());
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  ASSERT_TRUE(Json::accept(outcome.out)) << outcome.out << outcome.err;
  const Json selftest = Json::parse(outcome.out);
  EXPECT_EQ(rows_of(selftest, "nothing").size(), 2U) << "measured before";
  const Json allocation = rows_of(selftest, "allocation").at(0);
  EXPECT_EQ(allocation.at("outcome"), "refused");
  EXPECT_TRUE(contains(allocation.at("why").get<std::string>(), "is missing")) << allocation;
}

TEST(Selftest, DetectsAPreloadThatMissedTheLargestProcess) {
  ScratchRepository repository;
  // The shell grows, but the static program that it starts stays the larger of the two.
  repository.write("bench", "#!/bin/sh\n" STATIC_BENCHMARK " hurries\n", true);
  repository.write("perf-compare.json",
                   R"({"workloads": [{"name": "bench", "command": ["./bench"]}]})");
  repository.commit("Add a benchmark");
  const Outcome outcome =
      repository.perf_compare({"selftest", "--json", "-", "--seed", "1", "--threshold", "50%"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  const Json allocation = rows_of(Json::parse(outcome.out), "allocation").at(0);
  EXPECT_EQ(allocation.at("planted").at("way"), "preload");
  EXPECT_EQ(allocation.at("outcome"), "refused");
  EXPECT_TRUE(contains(allocation.at("why").get<std::string>(), "did not reach"));
}

TEST(Selftest, ReportsWhyAWorkloadFailed) {
  Subject subject("/bin/false", "");
  const Json selftest = subject.selftest({}, 3);
  EXPECT_EQ(selftest.at("state"), "unproven");
  EXPECT_EQ(rows_of(selftest, "nothing").at(0).at("outcome"), "not_measured");
  EXPECT_TRUE(
      contains(rows_of(selftest, "nothing").at(0).at("why").get<std::string>(), "exit status 1"));
  EXPECT_EQ(rows_of(selftest, "slowdown").at(0).at("outcome"), "refused");
}

}  // namespace
}  // namespace perf::test
