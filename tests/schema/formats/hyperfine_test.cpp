#include "reporter/text/sentences.h"
#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_hyperfine;

namespace {

// files/hyperfine.json is what hyperfine 1.15.0 wrote under
//   hyperfine -N -r 3 -i -L n 0.005,0.01 'sleep {n}' 'false' --export-json hyperfine.json

TEST(Hyperfine, ReadsTheRunsOfEachCommand) {
  const SampleSet set = samples_of(read_hyperfine, fixture_file("hyperfine.json"));
  const SampleSeries& time = series_in(set, "sleep 0.01");
  EXPECT_EQ(time.metric, kStepTime);
  EXPECT_TRUE(time.judge);
  EXPECT_EQ(time.values, (std::vector<double>{0.010561510000000001, 0.010644949, 0.010750699}));
  EXPECT_EQ(time.params, (Params{{"n", std::string("0.01")}}));
  EXPECT_FALSE(series_in(set, "sleep 0.01", "user_time").judge);
  EXPECT_TRUE(set.environment.fingerprint.empty());
}

TEST(Hyperfine, CountsANonzeroExitAsAFailure) {
  const SampleSet set = samples_of(read_hyperfine, fixture_file("hyperfine.json"));
  ASSERT_EQ(set.failures.size(), 2u) << "with two parameters";
  EXPECT_EQ(set.failures.at({"false", {{"n", std::string("0.01")}}}),
            "3 of 3 runs failed: the first exited with 1");
  EXPECT_THROW(series_in(set, "false"), std::runtime_error);
}

TEST(Hyperfine, LeavesOutRunsThatFailed) {
  const SampleSet set = samples_of(read_hyperfine, R"({"results": [
    {"command": "x", "times": [1, 2], "exit_codes": [0, null], "memory_usage_byte": [3, 4], "user": 1},
    {"command": "y", "parameters": {"n": "1"}, "median": 1, "exit_codes": [0, 7]},
    {"command": "y", "parameters": {"n": "2"}, "times": [1], "exit_codes": [0]}]})");
  EXPECT_EQ(series_in(set, "x").values, (std::vector<double>{1}));
  EXPECT_EQ(series_in(set, "x", "memory_usage").values, (std::vector<double>{3}));
  EXPECT_THROW(series_in(set, "x", "user_time"), std::runtime_error) << "a mean over all runs";
  EXPECT_EQ(set.failures,
            (std::map<BenchmarkId, std::string>{{{"y", {{"n", std::string("1")}}},
                                                 "1 of 2 runs failed: the first exited with 7"}}));
  EXPECT_EQ(
      reporter::sentences(set.warnings),
      (std::vector<std::string>{"some repetitions of \"x\" were left out: 1 of 2 runs failed: "
                                "the first was killed by a signal"}));
}

TEST(Hyperfine, FailsWhereMostRunsFailed) {
  const SampleSet set = samples_of(read_hyperfine, R"({"results": [
    {"command": "x", "times": [1, 2, 3], "exit_codes": [0, 137, 137]},
    {"command": "y", "times": [1, 2, 3], "exit_codes": [0, 0, 137]}]})");
  EXPECT_EQ(set.failures, (std::map<BenchmarkId, std::string>{
                              {{"x"}, "2 of 3 runs failed: the first exited with 137"}}));
  EXPECT_EQ(series_in(set, "y").values, (std::vector<double>{1, 2}));
}

TEST(Hyperfine, SaysThatMemoryWasNotMeasured) {
  const SampleSet set = samples_of(read_hyperfine, R"({"results": [
    {"command": "x", "times": [1, 2], "memory_usage_byte": [0, 0]},
    {"command": "y", "times": [1, 2, 3], "memory_usage_byte": [5, 6]}]})");
  EXPECT_THROW(series_in(set, "x", "memory_usage"), std::runtime_error);
  EXPECT_EQ(series_in(set, "y", "memory_usage").values.size(), 2u);
  EXPECT_EQ(reporter::sentences(set.warnings),
            (std::vector<std::string>{
                "2 values were left out (\"memory_usage\" of \"x\": 0 is not measured)",
                "1 value was left out (\"memory_usage\" of \"y\": 2 for 3 runs)"}));
}

TEST(Hyperfine, RefusesCommandsThatCannotBeToldApart) {
  const SampleSet set = samples_of(read_hyperfine, R"({"results": [{"command": "x", "times": [1]},
    {"command": "y", "times": [2]}, {"command": "x", "times": [3]}]})");
  ASSERT_EQ(set.series.size(), 1u);
  EXPECT_EQ(set.series[0].name, "y");
  EXPECT_TRUE(set.skipped.contains({"x"}));
  EXPECT_EQ(reporter::sentences(set.warnings),
            (std::vector<std::string>{"\"x\" is the name of several benchmarks, and none was used: "
                                      "give each its own name"}));
}

TEST(Hyperfine, ReadsMemoryAndTheMedianWithoutTimes) {
  const SampleSet set = samples_of(
      read_hyperfine,
      R"({"results": [{"command": "x", "times": [1, 2], "memory_usage_byte": [4096, 8192]},
                      {"command": "y", "median": 0.5, "exit_codes": [0]},
                      {"command": "z", "mean": 0.25}, {"command": "w"}]})");
  EXPECT_EQ(series_in(set, "x", "memory_usage").values, (std::vector<double>{4096, 8192}));
  EXPECT_EQ(series_in(set, "x", "memory_usage").metric.unit, "B");
  EXPECT_TRUE(series_in(set, "x", "memory_usage").judge);
  EXPECT_EQ(series_in(set, "y").values, (std::vector<double>{0.5}));
  EXPECT_EQ(series_in(set, "z").values, (std::vector<double>{0.25}));
  EXPECT_EQ(set.failures.at({"w"}), "it has no time");
  EXPECT_EQ(reporter::sentences(set.warnings),
            (std::vector<std::string>{
                "1 benchmark has statistics only: the mean counts as one value",
                "1 benchmark has statistics only: the median counts as one value"}));
}

TEST(Hyperfine, RefusesWithThePlace) {
  expect_refused(
      read_hyperfine, "h.json:2:",
      {{"\n{}", "results"},
       {"{\"results\":\n{}}", "an array"},
       {"{\"results\": [\n{\"times\": [1]}]}", "command"},
       {"{\"results\": [\n{\"command\": \"\", \"times\": [1]}]}", "empty"},
       {"{\"results\": [\n{\"command\": \"x\", \"times\": [\"1\"]}]}", "a number, not text"},
       {"{\"results\": [\n{\"command\": \"x\", \"times\": [[1]]}]}", "not an array"}});
}

}  // namespace
}  // namespace perf::formats
