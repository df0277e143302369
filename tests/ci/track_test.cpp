// Existing benchmarks tracked as they are: formats of other tools, and whole processes.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// Prints what a Google Benchmark program does, with times that it claims: the file `work` holds
/// name, ns and repetitions a line; noise of about 1 %.
constexpr const char* kGoogleBenchmark = R"sh(#!/bin/sh
exec awk -v seed="$PERF_COMPARE_SEED" -v pid="$$" '
BEGIN { srand(seed % 1000000 + pid); print "{\"context\":{\"num_cpus\":2},\"benchmarks\":[" }
{
  for (i = 0; i < $3; i++) {
    t = $2 * (1 + 0.01 * (rand() - 0.5))
    printf "%s{\"name\":\"%s\",\"run_name\":\"%s\",\"run_type\":\"iteration\",\"repetitions\":%d,\"repetition_index\":%d,\"iterations\":1000,\"real_time\":%.6f,\"cpu_time\":%.6f,\"time_unit\":\"ns\"}\n", n++ ? "," : "", $1, $1, $3, i, t, t
  }
}
END { print "]}" }' work
)sh";

constexpr const char* kGoogleConfig = R"({
  "workloads": [
    { "name": "bench", "command": ["./bench", "--benchmark_format=json"], "format": "google-benchmark" }
  ]
}
)";

/// A repository with a benchmark of other people's, and what it claims at two commits.
struct Tracked : ScratchRepository {
  Tracked(const std::string& base, const std::string& head,
          const std::string& config = kGoogleConfig) {
    write("bench", kGoogleBenchmark, true);
    write("perf-compare.json", config);
    write("work", base);
    commit("Add a benchmark");
    write("work", head);
    write("notes", "something changed");
    commit("Change the work");
  }
};

/// Rows by workload and metric.
std::map<std::pair<std::string, std::string>, Json> rows_of(const Json& report) {
  std::map<std::pair<std::string, std::string>, Json> rows;
  for (const Json& row : report.at("comparisons")) {
    rows[{row.at("workload"), row.at("metric")}] = row;
  }
  return rows;
}

TEST(Track, GivesEachBenchmarkOfACommandAVerdict) {
  const Tracked repository("BM_copy 50 1\nBM_parse/64 100 1\n",
                           "BM_copy 50 1\nBM_parse/64 120 1\n");
  const auto rows = rows_of(repository.json({"HEAD~1", "HEAD"}, 1));
  const Json& copy = rows.at({"bench/BM_copy", "step_time"});
  const Json& parse = rows.at({"bench/BM_parse/64", "step_time"});
  EXPECT_EQ(copy["verdict"], "unchanged");
  EXPECT_EQ(parse["verdict"], "regressed");
  EXPECT_NEAR(parse["change"].get<double>(), 0.2, 0.02);
  EXPECT_NEAR(parse["head"]["median"].get<double>(), 120e-9, 2e-9);
  // One repetition an invocation is Google Benchmark's default, and enough all along.
  EXPECT_EQ(parse["head"]["steps"], parse["head"]["invocations"]);
  EXPECT_EQ(parse["pairs"], 12) << "m = 3: two times, and the memory of the command";
  EXPECT_EQ(parse["warnings"], Json::array());
  EXPECT_EQ(rows.at({"bench", "peak_rss"})["judged"], true);
  EXPECT_EQ(rows.at({"bench/BM_copy", "cpu_time"})["judged"], false);
}

TEST(Track, TakesTheMedianOfRepetitions) {
  const Tracked repository("BM_copy 50 5\n", "BM_copy 50 5\n");
  const auto rows = rows_of(repository.json({"HEAD~1", "HEAD"}));
  const Json& copy = rows.at({"bench", "step_time"});  // one benchmark is the workload itself
  EXPECT_EQ(copy["verdict"], "unchanged");
  EXPECT_EQ(copy["head"]["steps"].get<int>(), 5 * copy["head"]["invocations"].get<int>());
  EXPECT_EQ(rows.count({"bench/BM_copy", "step_time"}), 0u);
}

TEST(Track, KeepsNamesWhenHeadAddsABenchmark) {
  const Tracked repository("BM_copy 50 1\n", "BM_copy 60 1\nBM_parse 100 1\n");
  const auto rows = rows_of(repository.json({"HEAD~1", "HEAD"}, 1));
  EXPECT_EQ(rows.at({"bench/BM_copy", "step_time"})["verdict"], "regressed")
      << "the two sides of a pair are named alike";
  EXPECT_EQ(rows.at({"bench/BM_parse", "step_time"})["verdict"], "new");
  EXPECT_EQ(rows.count({"bench", "step_time"}), 0u);
}

TEST(Track, ReadsTheFileOfAnArgument) {
  const Tracked repository("BM_copy 50 1\n", "BM_copy 60 1\n", R"({
  "workloads": [
    { "name": "bench", "command": ["sh", "-c", "echo progress; ./bench > $1", "sh", "{out}"],
      "format": "google-benchmark" }
  ]
})");
  EXPECT_EQ(rows_of(repository.json({"HEAD~1", "HEAD"}, 1)).at({"bench", "step_time"})["verdict"],
            "regressed");
}

TEST(Track, FailsWithoutOutput) {
  const Tracked repository("BM_copy 50 1\n", "BM_copy nonsense 0\n");
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD", "--json", "-"});
  const Json report = json_of(outcome, 3);
  EXPECT_EQ(report["summary"]["verdict"], "failed");
  EXPECT_TRUE(contains(outcome.out, "its output is not in the format google-benchmark: "));
}

// Real timings: what is said is not asserted, that every benchmark gets a verdict is.
TEST(Track, MeasuresARealGoogleBenchmarkProgram) {
  ScratchRepository repository;
  const Json config = {
      {"workloads",
       {{{"name", "sums"},
         {"command", {TRACKED_BENCHMARK, "--benchmark_format=json", "--benchmark_min_time=0.001"}},
         {"format", "google-benchmark"}},
        {{"name", "sums-by-file"},
         {"command",
          {TRACKED_BENCHMARK, "--benchmark_out={out}", "--benchmark_out_format=json",
           "--benchmark_min_time=0.001", "--benchmark_filter=4000", "--benchmark_repetitions=3"}},
         {"format", "google-benchmark"}}}}};
  repository.write("perf-compare.json", config.dump());
  repository.commit("Track a benchmark");
  repository.write("notes", "nothing that costs");
  repository.commit("Change nothing");
  const Outcome outcome = repository.perf_compare(
      {"HEAD~1", "HEAD", "--measure", "all", "--json", "-", "--pairs", "13"});
  ASSERT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 1) << outcome.err;
  const auto rows = rows_of(Json::parse(outcome.out));
  const std::set<std::string> decided{"unchanged", "improved", "regressed", "inconclusive"};
  for (const char* name : {"sums/BM_sum/1000", "sums/BM_sum/4000", "sums-by-file"}) {
    const Json& row = rows.at({name, "step_time"});
    EXPECT_EQ(decided.count(row["verdict"]), 1u) << row["verdict"];
    EXPECT_GE(row["pairs"], 12);
    EXPECT_GT(row["head"]["median"], 0);
    EXPECT_LT(row["head"]["median"], 1e-3);
  }
  EXPECT_EQ(rows.at({"sums-by-file", "step_time"})["head"]["steps"].get<int>(),
            3 * rows.at({"sums-by-file", "step_time"})["head"]["invocations"].get<int>());
}

constexpr const char* kProcessConfig = R"({
  "workloads": [
    { "name": "script", "command": ["./work.sh"], "format": "process" }
  ]
}
)";

TEST(Track, TimesAnyCommand) {
  ScratchRepository repository;
  repository.write("perf-compare.json", kProcessConfig);
  repository.write("work.sh", "#!/bin/sh\nsleep 0.03\n", true);
  repository.commit("Add a script");
  repository.write("work.sh", "#!/bin/sh\nsleep 0.12\n", true);
  repository.commit("Sleep four times as long");
  const auto rows = rows_of(repository.json({"HEAD~1", "HEAD"}, 1));
  const Json& time = rows.at({"script", "step_time"});
  EXPECT_EQ(time["verdict"], "regressed");
  EXPECT_GT(time["base"]["min"], 0.03);
  EXPECT_GT(time["head"]["min"], 0.12);
  EXPECT_EQ(time["head"]["steps"], time["head"]["invocations"]);
  EXPECT_EQ(rows.at({"script", "user_time"})["judged"], false);
  EXPECT_EQ(rows.at({"script", "system_time"})["unit"], "s");
  EXPECT_EQ(rows.at({"script", "peak_rss"})["judged"], true);
}

TEST(Track, FailsIfTheProcessFails) {
  ScratchRepository repository;
  repository.write("perf-compare.json", kProcessConfig);
  repository.write("work.sh", "#!/bin/sh\nexit 0\n", true);
  repository.commit("Add a script");
  repository.write("work.sh", "#!/bin/sh\necho out of paper >&2\nexit 7\n", true);
  repository.commit("Break it");
  EXPECT_TRUE(ended(repository.perf_compare({"HEAD~1", "HEAD", "--json", "-"}), 3,
                    {"exit status 7; last line of stderr: out of paper"}));
}

}  // namespace
}  // namespace perf::test
