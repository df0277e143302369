#include "reporter/text/sentences.h"
#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_google_benchmark;

namespace {

// files/google_benchmark.json is what the program google_benchmark.cpp beside it wrote, host name
// aside.
const std::string kGoogle = fixture_file("google_benchmark.json");

std::string one_run(const std::string& members) {
  return "{\"benchmarks\": [\n{\"name\": \"BM_X\", " + members + "}]}";
}

TEST(GoogleBenchmark, ReadsRepetitionsAndLeavesAggregatesOut) {
  const SampleSet set = samples_of(read_google_benchmark, kGoogle);
  const SampleSeries& sort = series_in(set, "BM_Sort/64");
  EXPECT_EQ(sort.metric, kStepTime);
  EXPECT_TRUE(sort.judge);
  ASSERT_EQ(sort.values.size(), 3u);
  for (const double value : sort.values) {
    EXPECT_GT(value, 1e-8);
    EXPECT_LT(value, 1e-5);
  }
  for (const SampleSeries& one : set.series) {
    EXPECT_EQ(one.values.size(), 3u) << one.name << " " << one.metric.name;
  }
}

TEST(GoogleBenchmark, ReadsTimeUnitsCountersAndRates) {
  const SampleSet set = samples_of(read_google_benchmark, kGoogle);
  const SampleSeries& sum = series_in(set, "BM_Sum/real_time");
  EXPECT_GT(sum.values[0], 1e-7) << "microseconds";
  EXPECT_LT(sum.values[0], 1e-3);
  EXPECT_EQ(series_in(set, "BM_Sum/real_time", "sum").values[1], 4096);
  EXPECT_FALSE(series_in(set, "BM_Sum/real_time", "sum").judge);
  EXPECT_EQ(series_in(set, "BM_Sort/64", "items_per_second").metric.better, Better::higher);
  EXPECT_FALSE(series_in(set, "BM_Sort/64", "cpu_time").judge);
}

TEST(GoogleBenchmark, ReadsFailuresAndTheMachine) {
  const SampleSet set = samples_of(read_google_benchmark, kGoogle);
  ASSERT_EQ(set.failures.size(), 1u);
  EXPECT_EQ(set.failures.at({"BM_Broken", {{"executable", "gb"}}}), "no input file");
  EXPECT_EQ(set.environment.machine.at("num_cpus"), "2");
  EXPECT_EQ(set.environment.machine.at("caches"),
            "Data 1 49152, Instruction 1 32768, Unified 2 1048576, Unified 3 33554432");
  EXPECT_TRUE(contains(set.environment.fingerprint, "host_name=ci-7"));
  EXPECT_EQ(set.environment.machine.count("mhz_per_cpu"), 0u);
  EXPECT_EQ(set.environment.facts.at("mhz_per_cpu"), "2600");
  const SampleSet virtual_machine = samples_of(
      read_google_benchmark, R"({"context": {"num_cpus": 2, "caches": []}, "benchmarks": [)" +
                                 one_run(R"("real_time": 1, "time_unit": "s")").substr(16));
  EXPECT_EQ(virtual_machine.environment.machine.count("caches"), 0u);
}

TEST(GoogleBenchmark, IgnoresNan) {
  ASSERT_TRUE(contains(kGoogle, "\"misses\": NaN"))
      << "the library writes NaN where a counter's mean is 0";
  const SampleSet set =
      samples_of(read_google_benchmark,
                 one_run(R"("real_time": 1, "time_unit": "s", "x": NaN, "y": -Infinity, "z": 2)"));
  EXPECT_EQ(set.series.size(), 2u);
  EXPECT_EQ(series_in(set, "BM_X", "z").values[0], 2);
}

TEST(GoogleBenchmark, LeavesOutSkippedRepetitions) {
  const SampleSet set = samples_of(read_google_benchmark, R"({"benchmarks": [
    {"name": "A", "error_occurred": true, "error_message": "disk", "real_time": 0, "time_unit": "ns"},
    {"name": "A", "real_time": 3, "time_unit": "ms"},
    {"name": "B", "skipped": true, "skip_message": "no GPU"}]})");
  EXPECT_EQ(set.skipped, (std::map<BenchmarkId, std::string>{{{"B"}, "no GPU"}}));
  EXPECT_EQ(series_in(set, "A").values, (std::vector<double>{3e-3}));
  EXPECT_TRUE(set.failures.empty());
  ASSERT_EQ(set.warnings.size(), 2u);
  EXPECT_EQ(reporter::sentence(set.warnings[0]), "\"B\" was skipped: \"no GPU\"");
  EXPECT_EQ(reporter::sentence(set.warnings[1]),
            "some repetitions of \"A\" were left out: \"disk\"");
}

TEST(GoogleBenchmark, FailsWhereMostRepetitionsFailed) {
  const SampleSet set = samples_of(read_google_benchmark, R"({"benchmarks": [
    {"name": "A", "error_occurred": true, "error_message": "disk"},
    {"name": "A", "real_time": 3, "time_unit": "ms"},
    {"name": "A", "error_occurred": true, "error_message": "disk"},
    {"name": "B", "real_time": 3, "time_unit": "ms"}]})");
  EXPECT_EQ(set.failures, (std::map<BenchmarkId, std::string>{{{"A"}, "disk"}}));
  ASSERT_EQ(set.series.size(), 1u);
  EXPECT_EQ(set.series[0].name, "B");
}

TEST(GoogleBenchmark, TakesTheMedianOfAggregates) {
  const auto row = [](const std::string& name, const std::string& aggregate, double time) {
    return R"({"name": ")" + name + "_" + aggregate + R"(", "aggregate_name": ")" + aggregate +
           R"(", "real_time": )" + std::to_string(time) + R"(, "time_unit": "us"},)";
  };
  std::string rows;
  for (const std::string aggregate : {"mean", "median", "stddev", "cv", "max"}) {
    rows += row("A", aggregate, aggregate == "median" ? 2 : 9);
  }
  rows += row("B", "mean", 3) + row("B", "cv", 0.5) + row("C", "stddev", 1);
  rows += R"({"name": "C_BigO", "big_o": "N", "real_coefficient": 1}, {"name": "C_RMS", "rms": 1})";
  const SampleSet set = samples_of(read_google_benchmark, "{\"benchmarks\": [" + rows + "]}");
  ASSERT_EQ(set.series.size(), 2u);
  EXPECT_EQ(series_in(set, "A").values, (std::vector<double>{2 * 1e-6}));
  EXPECT_EQ(series_in(set, "B").values, (std::vector<double>{3 * 1e-6}));
  ASSERT_EQ(set.warnings.size(), 2u);
  EXPECT_EQ(reporter::sentence(set.warnings[1]),
            "1 benchmark has statistics only: the median counts as one value; run without "
            "--benchmark_report_aggregates_only");
}

TEST(GoogleBenchmark, TakesRunsOfOneFileAsRepetitions) {
  const std::string run = R"({"name": "A", "run_name": "A", "repetition_index": 0, "real_time": )";
  const SampleSet set =
      samples_of(read_google_benchmark, "{\"benchmarks\": [" + run + R"(1, "time_unit": "s"}, )" +
                                            run + R"(2, "time_unit": "s"}]})");
  ASSERT_EQ(set.series.size(), 1u);
  EXPECT_EQ(set.series[0].values, (std::vector<double>{1, 2}));
}

TEST(GoogleBenchmark, RefusesTwoFamiliesOfOneName) {
  const auto names_of = [](const std::string& family, const std::string& of_aggregates) {
    const auto run = [&](const std::string& name, const std::string& index) {
      return R"({"run_name": ")" + name + R"(", "family_index": )" + index + of_aggregates +
             R"(, "real_time": 1, "time_unit": "s"})";
    };
    std::string names;
    const SampleSet set =
        samples_of(read_google_benchmark, "{\"benchmarks\": [" + run("A", "7") + "," +
                                              run("A", family) + "," + run("B", "9") + "]}");
    for (const SampleSeries& one : set.series) {
      names += one.name;
    }
    return names;
  };
  for (const std::string of_aggregates :
       {"", R"(, "run_type": "aggregate", "aggregate_name": "median")"}) {
    EXPECT_EQ(names_of("7", of_aggregates), "AB");
    EXPECT_EQ(names_of("8", of_aggregates), "B");
  }
}

TEST(GoogleBenchmark, PassesOverWhatIsNoCounter) {
  const SampleSet set = samples_of(
      read_google_benchmark,
      one_run(R"("real_time": 1, "time_unit": "s", "a": null, "b": "x", "c": [1], "d": {},
                     "e": true, "f": 9007199254740993, "g": 1)"));
  EXPECT_EQ(set.series.size(), 2u);
  EXPECT_EQ(series_in(set, "BM_X", "g").values, (std::vector<double>{1}));
}

TEST(GoogleBenchmark, LeavesOutABenchmarkWithoutAName) {
  const SampleSet set = samples_of(read_google_benchmark, R"({"benchmarks": [
    {"name": "", "real_time": 1, "time_unit": "s"}, {"name": "", "real_time": 1, "time_unit": "s"},
    {"name": "A", "real_time": 1, "time_unit": "s"}]})");
  EXPECT_EQ(set.series.size(), 1u);
  EXPECT_EQ(reporter::sentences(set.warnings),
            (std::vector<std::string>{"a benchmark was skipped: it has no name"}));
}

TEST(GoogleBenchmark, SaysThatAFileHasNoBenchmark) {
  const SampleSet set = samples_of(read_google_benchmark, R"({"benchmarks": []})");
  EXPECT_EQ(reporter::sentences(set.warnings),
            (std::vector<std::string>{"the file has no benchmark"}));
}

TEST(GoogleBenchmark, RefusesWithThePlace) {
  expect_refused(read_google_benchmark, "old.json:2:",
                 {{one_run(R"("time_unit": "ns")"), "real_time"},
                  {one_run(R"("real_time": 1)"), "time_unit"},
                  {one_run(R"("real_time": 1, "time_unit": "days")"), "days"},
                  {one_run(R"("real_time": "1", "time_unit": "ns")"), "a number, not text"},
                  {"{\"benchmarks\": [\n{\"real_time\": 1, \"time_unit\": \"ns\"}]}", "name"},
                  {"\n{}", "benchmarks"},
                  {"\n[]", "an object"}});
}

TEST(MaskedNumbers, KeepPlacesAndQuotedText) {
  const std::string text = R"({"a": NaN, "NaN": "\"NaN", "b": -Infinity})";
  const std::string masked = mask_non_numbers(text);
  EXPECT_EQ(masked, R"({"a": "" , "NaN": "\"NaN", "b": ""       })");
  EXPECT_EQ(masked.size(), text.size());
}

TEST(MaskedNumbers, AreWrittenInManyWays) {
  for (const std::string word :
       {"NaN", "nan", "-nan", "-NaN", "-nan(ind)", "nan(snan)", "1.#QNAN", "-1.#IND00", "1.#INF",
        "inf", "-inf", "+inf", "Infinity", "-Infinity"}) {
    EXPECT_EQ(mask_non_numbers("[" + word + ",1]"),
              "[\"\"" + std::string(word.size() - 2, ' ') + ",1]");
  }
  for (const std::string text :
       {"[nano]", "[1nan]", "[nAn]", "[null]", "[info]", "[-1]", "[\"-nan\"]"}) {
    EXPECT_EQ(mask_non_numbers(text), text);
  }
}

TEST(MaskedNumbers, LeaveKeysToTheParser) {
  EXPECT_EQ(mask_non_numbers("{NaN : 1}"), "{NaN : 1}");
  EXPECT_EQ(mask_non_numbers("[Infinity\n, -Infinity]"), "[\"\"      \n, \"\"       ]");
}

}  // namespace
}  // namespace perf::formats
