#include "schema/formats/foreign.h"
#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_github_action_benchmark;

namespace {

// files/github_action_benchmark.js is written to the format of github-action-benchmark 1; its first
// entry has the shape of the data.js in that project's own repository.
std::vector<ImportedSession> github_action_fixture() {
  return read_github_action_benchmark(fixture_file("github_action_benchmark.js"), "data.js");
}

TEST(GithubActionBenchmark, ReadsOneSessionPerEntry) {
  const std::vector<ImportedSession> sessions = github_action_fixture();
  ASSERT_EQ(sessions.size(), 5u);
  EXPECT_EQ(sessions[0].commit, "45d78258e495044a551046f50604da3c893052ce");
  EXPECT_EQ(sessions[0].measured_at, "2019-11-09T15:09:00Z");
  EXPECT_DOUBLE_EQ(series_in(sessions[0].samples, "Rust/bench_fib_20").values.at(0), 34001e-9);
  EXPECT_TRUE(series_in(sessions[0].samples, "Rust/bench_fib_20").judge);
  EXPECT_EQ(sessions[1].commit, "b840614fd88743f234aac0dc747a0a70616f450f");
  EXPECT_EQ(sessions[1].samples.series.size(), 1u);
  EXPECT_TRUE(sessions[1].samples.environment.fingerprint.empty());
}

TEST(GithubActionBenchmark, TurnsIterationsASecondIntoTimes) {
  const SampleSet set = github_action_fixture()[2].samples;
  const SampleSeries& rate = series_in(set, "Python/bench.py::test_fib_10", "ops_per_second");
  EXPECT_EQ(rate.values.at(0), 40000.5);
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_FALSE(rate.judge) << "it repeats the time";
  EXPECT_DOUBLE_EQ(series_in(set, "Python/bench.py::test_fib_10").values.at(0), 1 / 40000.5);
}

TEST(GithubActionBenchmark, GroupsTheMeasuresOfAGoBenchmark) {
  const SampleSet set = github_action_fixture()[3].samples;
  ASSERT_EQ(set.series.size(), 3u);
  EXPECT_EQ(series_in(set, "Go/BenchmarkFib10").values, (std::vector<double>{325 * 1e-9}));
  EXPECT_EQ(series_in(set, "Go/BenchmarkFib10", "bytes_per_op").values.at(0), 16);
  EXPECT_EQ(series_in(set, "Go/BenchmarkFib10", "allocs_per_op").values.at(0), 2);
}

TEST(GithubActionBenchmark, KeepsOtherUnits) {
  const SampleSet set = github_action_fixture()[4].samples;
  const SampleSeries& accuracy = series_in(set, "Custom/accuracy", "value");
  EXPECT_EQ(accuracy.metric, (Metric{"value", "Percent", Better::higher}));
  EXPECT_TRUE(accuracy.judge);
  EXPECT_EQ(series_in(set, "Custom/disk", "bytes_per_second").values.at(0), 3e6);
  EXPECT_THROW(series_in(set, "Custom/add", "value"), std::runtime_error) << "it comes twice";
  EXPECT_TRUE(set.skipped.contains({"Custom/add"}));
  SampleSet usable = set;
  keep_usable(usable);
  EXPECT_EQ(usable.failures, (std::map<BenchmarkId, std::string>{
                                 {{"Custom/lost"}, "not a finite number: null, NaN or infinity"}}));
}

TEST(GithubActionBenchmark, KnowsUnits) {
  struct Expected {
    std::string tool, unit, metric, metric_unit;
    double factor;
    Better better;
    bool judge;
  };
  for (const Expected& expected : std::vector<Expected>{
           {"googlecpp", "us/iter", "step_time", "s", 1e-6, Better::lower, true},
           {"catch2", "ms", "step_time", "s", 1e-3, Better::lower, true},
           {"jmh", "us/op", "step_time", "s", 1e-6, Better::lower, true},
           {"jmh", "ops/ms", "ops_per_second", "1/s", 1e3, Better::higher, true},
           {"benchmarkjs", "ops/sec", "ops_per_second", "1/s", 1, Better::higher, false},
           {"customSmallerIsBetter", "Seconds", "step_time", "s", 1, Better::lower, true},
           {"customBiggerIsBetter", "ms", "value", "ms", 1, Better::higher, true},
           {"customSmallerIsBetter", "MiB", "value", "B", 1048576, Better::lower, true},
           {"customSmallerIsBetter", "ops/sec", "value", "ops/sec", 1, Better::lower, true},
           {"cargo", "widgets", "value", "widgets", 1, Better::lower, false}}) {
    const ActionMeaning meaning = action_meaning_of(expected.tool, expected.unit);
    EXPECT_EQ(meaning.metric, (Metric{expected.metric, expected.metric_unit, expected.better}))
        << expected.tool << " " << expected.unit << ": " << meaning.metric.name << " "
        << meaning.metric.unit;
    EXPECT_DOUBLE_EQ(meaning.factor, expected.factor) << expected.unit;
    EXPECT_EQ(meaning.judge, expected.judge) << expected.tool << " " << expected.unit;
  }
}

TEST(GithubActionBenchmark, ReadsTheObjectAlone) {
  const std::string entries =
      R"({"entries": {"S": [{"commit": {"id": "abc"}, "benches": [{"name": "a", "value": 1, "unit": "s"}]}]}})";
  for (const std::string& text : {entries, "\n window.BENCHMARK_DATA=" + entries + ";\n"}) {
    const std::vector<ImportedSession> sessions = read_github_action_benchmark(text, "d");
    ASSERT_EQ(sessions.size(), 1u) << text;
    EXPECT_EQ(sessions[0].commit, "abc");
    EXPECT_EQ(sessions[0].measured_at, "");
  }
}

TEST(GithubActionBenchmark, RefusesWithThePlace) {
  const auto entry = [](const std::string& text) {
    return "window.BENCHMARK_DATA = {\"entries\": {\"S\": [\n" + text + "]}}";
  };
  const auto bench = [&](const std::string& members) {
    return entry(R"({"tool": "cargo", "commit": {"id": "a"}, "benches": [{)" + members + "}]}");
  };
  expect_refused(read_github_action_benchmark, "data.js:2:",
                 {{"window.BENCHMARK_DATA =\n{}", "entries"},
                  {"window.BENCHMARK_DATA = {\"entries\":\n{}}", "no benchmark result"},
                  {"\nalert(1); window.BENCHMARK_DATA = {}", "invalid literal"},
                  {entry(R"({"benches": []})"), "commit"},
                  {entry(R"({"commit": {"id": "a"}})"), "benches"},
                  {entry(R"({"commit": {}, "benches": []})"), "id"},
                  {bench(R"("value": 1, "unit": "ns")"), "name"},
                  {bench(R"("name": "a", "unit": "ns")"), "value"},
                  {bench(R"("name": "", "value": 1, "unit": "ns")"), "empty"},
                  {bench(R"("name": "a", "value": [1], "unit": "ns")"), "a number, not an array"}});
}

std::string suite_of(const std::string& entries) {
  return R"({"entries": {"S": [)" + entries + "]}}";
}

std::string entry_of(const std::string& date, const std::string& benches) {
  return R"({"commit": {"id": "abc"}, "date": )" + date + R"(, "tool": "go", "benches": [)" +
         benches + "]}";
}

std::string bench_of(const std::string& name, const std::string& value,
                     const std::string& unit = "ns/op") {
  return R"({"name": ")" + name + R"(", "value": )" + value + R"(, "unit": ")" + unit + "\"}";
}

TEST(GithubActionBenchmark, TakesTheNewestByDateWhateverTheOthersHold) {
  const std::string text =
      suite_of("7, " + entry_of("30", bench_of("b", "3")) + ", {}, " +
               entry_of("20", bench_of("a", "\"NaN\"")) + ", " + entry_of("null", "7"));
  const SampleSet set = read_samples(text, "d.json");
  ASSERT_EQ(set.series.size(), 1u);
  EXPECT_EQ(set.series[0].name, "S/b");
}

TEST(GithubActionBenchmark, LeavesOutNamesThatCannotBeToldApart) {
  std::vector<std::string> benches;
  for (const std::string time : {"500", "10000"}) {
    for (const std::string measure : {"", " - ns/op"}) {
      benches.push_back(bench_of("BenchmarkGet" + measure, time));
    }
    benches.push_back(bench_of("BenchmarkGet - B/op", time, "B/op"));
  }
  benches.push_back(bench_of("BenchmarkPut", "7"));
  benches.push_back(bench_of("BenchmarkPut - B/op", "8", "B/op"));
  const SampleSet set = read_samples(suite_of(entry_of("1", joined(benches, ","))), "d.json");
  EXPECT_EQ(set.series.size(), 2u);
  EXPECT_EQ(series_in(set, "S/BenchmarkPut", "bytes_per_op").values, (std::vector<double>{8}));
  EXPECT_EQ(set.warnings,
            (std::vector<Warning>{
                {WarningKind::ambiguous_name, {}, {{"benchmark", "\"S/BenchmarkGet\""}}}}));
}

TEST(GithubActionBenchmark, TakesRepetitionsOfGoogleBenchmark) {
  const auto told = [](const std::vector<std::string>& names) {
    std::string benches, all;
    for (const std::string& name : names) {
      benches += (benches.empty() ? "" : ",") + bench_of(name, "5");
    }
    std::string entry = entry_of("1", benches);
    entry.replace(entry.find("\"go\""), 4, "\"googlecpp\"");
    const SampleSet set = read_samples(suite_of(entry), "d.json");
    for (const SampleSeries& one : set.series) {
      all += one.name.substr(2) + " " + std::to_string(one.values.size()) + "\n";
    }
    return all;
  };
  EXPECT_EQ(told({"a", "a", "a", "a_mean", "a_median", "a_stddev", "a_cv", "b_cv", "c"}),
            "a 3\nb_cv 1\nc 1\n");
  EXPECT_EQ(told({"a_mean", "a_median", "a_stddev", "a_cv"}), "a_mean 1\na_median 1\n");
  EXPECT_EQ(told({"a", "a", "b"}), "b 1\n") << "two benchmarks";
}

TEST(GithubActionBenchmark, FailsForWhatIsNoNumber) {
  const SampleSet set = read_samples(
      suite_of(entry_of("1", bench_of("a", "\"NaN\"") + "," + bench_of("b", "null") + "," +
                                 bench_of("c", "0") + "," + bench_of("d", "\"5.5\"") + "," +
                                 bench_of("e", "\"fast\"") + "," + R"({"name": "f", "value": 3})")),
      "d.json");
  EXPECT_EQ(set.failures.size(), 4u);
  EXPECT_EQ(set.failures.at({"S/c"}),
            "0 is not a valid time: the compiler may have removed the work");
  EXPECT_DOUBLE_EQ(series_in(set, "S/d").values.at(0), 5.5e-9);
  EXPECT_EQ(series_in(set, "S/f", "value").metric.unit, "1");
}

TEST(GithubActionBenchmark, ReadsTheNewestEntriesAsOneSession) {
  const SampleSet set = read_samples(fixture_file("github_action_benchmark.js"), "data.js");
  ASSERT_EQ(series_in(set, "Rust/bench_fib_10").values.size(), 1u);
  EXPECT_DOUBLE_EQ(series_in(set, "Rust/bench_fib_10").values[0], 201e-9);
  EXPECT_EQ(set.source, "data.js");
  EXPECT_THROW(series_in(set, "Rust/bench_fib_20"), std::runtime_error) << "only the older has it";
  const std::string text = fixture_file("github_action_benchmark.js");
  const SampleSet alone = read_samples(text.substr(text.find('{')), "data.json");
  EXPECT_EQ(alone.series.size(), set.series.size());
}

}  // namespace
}  // namespace perf::formats
