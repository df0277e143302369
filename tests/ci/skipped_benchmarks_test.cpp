// A suite of which some benchmarks cannot run on this machine, as Google Benchmark tells it.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// It claims its time: what is tested is what becomes of the others.
const std::string kSkippingSuite = R"sh(#!/bin/sh
printf '{"benchmarks": ['
test -e broken || printf '{"name": "sum/c", "real_time": 5, "time_unit": "ms"}, '
cat others
printf ']}'
)sh";

const std::string kSkippingConfig = R"({ "workloads": [
  { "name": "zlib", "command": ["./bench"], "format": "google-benchmark" } ] }
)";

/// As before 1.8 of the library and from then on.
const std::string kAllSkipped =
    R"({"name": "sum/avx512/1", "run_name": "sum/avx512/1", "run_type": "iteration",
        "error_occurred": true, "error_message": "CPU does not support avx512",
        "real_time": 0, "cpu_time": 0, "time_unit": "ns"},
       {"name": "sum/avx512/8", "skipped": true, "skip_message": "CPU does not support avx512",
        "real_time": 0, "cpu_time": 0, "time_unit": "ns"})";
const std::string kAllMeasured =
    R"({"name": "sum/avx512/1", "real_time": 2, "time_unit": "ms"},
       {"name": "sum/avx512/8", "real_time": 3, "time_unit": "ms"})";

class SkippedBenchmarks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    suite = new ScratchRepository;
    suite->write("bench", kSkippingSuite, true);
    suite->write("perf-compare.json", kSkippingConfig);
    for (const char* tag : {"skips", "skips-too", "measures", "fails"}) {
      suite->write("others", tag == std::string("measures") ? kAllMeasured : kAllSkipped);
      suite->write(tag == std::string("fails") ? "broken" : "notes", tag);
      suite->commit(std::string("It ") + tag);
      suite->git({"tag", tag});
    }
  }
  static void TearDownTestSuite() {
    delete suite;
    suite = nullptr;
  }

  static Outcome compare(const std::string& base, const std::string& head,
                         const std::vector<std::string>& more = {}) {
    return suite->perf_compare(
        with_more({base, head, "--metric", "step_time", "--json", "r.json"}, more));
  }
  /// "VERDICT" of each row, and its warnings; not those of a busy machine.
  static std::map<std::string, std::string> rows() {
    std::map<std::string, std::string> told;
    const Json report = Json::parse(content_of(suite->path() / "r.json"));
    for (const Json& row : report["comparisons"]) {
      std::string& text = told[row["workload"]] = row["verdict"];
      for (const std::string warning : row["warnings"]) {
        text += contains(warning, "CPU does not") ? "; " + warning : "";
      }
    }
    return told;
  }

  static ScratchRepository* suite;
};

ScratchRepository* SkippedBenchmarks::suite = nullptr;
using Rows = std::map<std::string, std::string>;

TEST_F(SkippedBenchmarks, LeaveTheOthersMeasured) {
  const std::string reason = "skipped on both sides: CPU does not support avx512";
  const std::string filter = "--benchmark_filter=-sum/avx512 excludes them";
  const Outcome outcome = compare("skips", "skips-too", {"--markdown", "r.md", "--junit", "r.xml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(rows(), (Rows{{"zlib/sum/c", "unchanged"},
                          {"zlib/sum/avx512/1", "missing; " + reason},
                          {"zlib/sum/avx512/8", "missing; " + reason}}));
  const Json report = Json::parse(content_of(suite->path() / "r.json"));
  EXPECT_EQ(report["summary"]["missing"], 2);
  EXPECT_EQ(std::ranges::count_if(report["warnings"],
                                  [&](const std::string& one) { return contains(one, filter); }),
            1)
      << report["warnings"];
  EXPECT_TRUE(contains(outcome.out, "Missing: 2 workloads skipped: zlib/sum/avx512/1"));
  const std::string markdown = content_of(suite->path() / "r.md");
  for (const std::string& text : {outcome.out, markdown}) {
    EXPECT_TRUE(contains(text, reason));
    EXPECT_TRUE(contains(text, "excludes them"));
  }
  const std::string junit = content_of(suite->path() / "r.xml");
  EXPECT_TRUE(contains(junit,
                       "<testcase classname=\"zlib/sum/avx512/1\" name=\"step_time\">\n"
                       "      <skipped"));
  EXPECT_TRUE(contains(junit, reason));
  const Outcome strict = suite->perf_compare(
      {"judge", "skips", "skips-too", "--metric", "step_time", "--strict", "-q"});
  EXPECT_EQ(strict.exit_code, 4) << strict.err;
  EXPECT_TRUE(contains(strict.out, reason)) << "as the store has it";
}

TEST_F(SkippedBenchmarks, FailIfOnlyHeadSkips) {
  EXPECT_TRUE(ended(compare("measures", "skips-too"), 3));
  const std::string failed = "failed; head failed: CPU does not support avx512";
  EXPECT_EQ(rows(), (Rows{{"zlib/sum/c", "unchanged"},
                          {"zlib/sum/avx512/1", failed},
                          {"zlib/sum/avx512/8", failed}}));
}

TEST_F(SkippedBenchmarks, AreNewIfOnlyBaseSkips) {
  EXPECT_TRUE(ended(compare("skips", "measures"), 0));
  const std::string fresh = "new; skipped at base: CPU does not support avx512";
  EXPECT_EQ(rows(), (Rows{{"zlib/sum/c", "unchanged"},
                          {"zlib/sum/avx512/1", fresh},
                          {"zlib/sum/avx512/8", fresh}}));
}

TEST_F(SkippedBenchmarks, FailTheInvocationIfAllAreSkipped) {
  const Outcome outcome = compare("skips", "fails");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(rows().count("zlib"), 1u);
  EXPECT_TRUE(contains(outcome.out, "CPU does not support avx512"));
}

/// Beside the one that is searched: the last good commit measures what the first bad one skips.
TEST_F(SkippedBenchmarks, DoNotStopABisection) {
  ScratchRepository line;
  line.write("bench", "#!/bin/sh\nprintf '{\"benchmarks\": ['; cat main others; printf ']}'\n",
             true);
  line.write("perf-compare.json", kSkippingConfig);
  for (const int time : {5, 5, 6, 6}) {
    line.write("main", R"({"name": "sum/c", "time_unit": "ms", "real_time": )" +
                           std::to_string(time) + "},");
    line.write("others", time == 5 ? kAllMeasured : kAllSkipped);
    line.write("notes", content_of(line.path() / "notes") + "another\n");
    line.commit("It takes " + std::to_string(time));
  }
  const Outcome outcome =
      line.perf_compare({"bisect", "HEAD~3", "HEAD", "-w", "zlib", "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  ASSERT_TRUE(Json::accept(outcome.out));
  EXPECT_EQ(Json::parse(outcome.out)["first_bad"]["oid"], line.git({"rev-parse", "HEAD~1"}));
}

TEST_F(SkippedBenchmarks, AreReportedOnceByCollect) {
  const Outcome outcome = suite->perf_compare(
      {"collect", "skips..measures", "--pairs", "2", "--json", "collected.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Outcome again = suite->perf_compare({"collect", "skips", "--pairs", "2"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  for (const Outcome& one : {outcome, again}) {
    const std::size_t told = one.err.find("excludes them");
    EXPECT_NE(told, std::string::npos) << one.err;
    EXPECT_EQ(one.err.find("excludes them", told + 1), std::string::npos) << one.err;
  }
  std::map<std::string, std::size_t> series;  // of each commit
  const Json collection = Json::parse(content_of(suite->path() / "collected.json"));
  for (const Json& commit : collection["commits"]) {
    EXPECT_EQ(commit["status"], "measured");
    series[commit["subject"]] = commit["workloads"].size();
  }
  EXPECT_EQ(series, (std::map<std::string, std::size_t>{{"It skips-too", 1}, {"It measures", 3}}));
}

}  // namespace
}  // namespace perf::test
