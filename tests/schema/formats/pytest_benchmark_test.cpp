#include "reporter/text/sentences.h"
#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_pytest_benchmark;

namespace {

// files/pytest_benchmark.json is written to the format of pytest-benchmark 4.0.0.
ImportedSession pytest_session() {
  return read_pytest_benchmark(fixture_file("pytest_benchmark.json"), "0001.json").at(0);
}

TEST(PytestBenchmark, ReadsRoundsAndParameters) {
  const SampleSet set = pytest_session().samples;
  const SampleSeries& time = series_in(set, "tests/test_parse.py::test_parse[small-3]");
  EXPECT_EQ(time.metric, kStepTime);
  EXPECT_TRUE(time.judge);
  EXPECT_EQ(time.values, (std::vector<double>{0.0101, 0.0105, 0.0103}));
  EXPECT_EQ(time.params, (Params{{"kind", std::string("small")}, {"depth", std::int64_t{3}}}))
      << "what has parts is told apart by the name";
}

TEST(PytestBenchmark, TakesTheMedianWithoutRounds) {
  const SampleSet set = pytest_session().samples;
  EXPECT_EQ(series_in(set, "tests/test_parse.py::test_empty").values,
            (std::vector<double>{1.25e-07}));
  ASSERT_EQ(set.warnings.size(), 2u);
  EXPECT_EQ(reporter::sentence(set.warnings[0]).rfind("1 benchmark has statistics only: ", 0), 0u);
}

TEST(PytestBenchmark, ReadsCommitTimeAndMachine) {
  const ImportedSession session = pytest_session();
  EXPECT_EQ(session.commit, "2a9f1b0c4d5e6f708192a3b4c5d6e7f801234567");
  EXPECT_EQ(session.measured_at, "2024-03-01T09:15:00Z");
  EXPECT_EQ(reporter::sentence(session.samples.warnings[1]), "the tree had uncommitted changes");
  const Environment& environment = session.samples.environment;
  EXPECT_EQ(environment.machine.at("cpu"), "AMD EPYC 7B13");
  EXPECT_EQ(environment.machine.at("cpu_count"), "4");
  EXPECT_EQ(environment.machine.at("python_version"), "3.11");
  EXPECT_EQ(environment.facts.at("python_full_version"), "3.11.7");
  EXPECT_EQ(environment.machine.count("release"), 0u) << "a kernel is updated every few weeks";
  EXPECT_EQ(environment.facts.count("release"), 1u);
  EXPECT_EQ(environment.machine.count("node"), 0u) << "another machine every time on CI";
  EXPECT_EQ(environment.facts.at("node"), "ci-7");
  EXPECT_TRUE(contains(environment.fingerprint, "cpu=AMD EPYC 7B13\n"));
}

TEST(PytestBenchmark, HasNoFingerprintWithoutAProcessor) {
  const ImportedSession session =
      read_pytest_benchmark(
          R"({"machine_info": {"system": "Linux", "cpu": {}}, "commit_info": {"error": "no git"},
          "benchmarks": [{"name": "b", "stats": {"data": [1]}}]})",
          "f")
          .at(0);
  EXPECT_EQ(session.samples.environment.fingerprint, "");
  EXPECT_EQ(session.samples.environment.machine.at("system"), "Linux");
  EXPECT_EQ(session.commit, "");
  EXPECT_EQ(session.measured_at, "");
  EXPECT_EQ(session.samples.series[0].name, "b");
}

TEST(PytestBenchmark, JoinsTheRoundsOfARepeatedTest) {
  const SampleSet set = samples_of(read_pytest_benchmark, R"({"benchmarks": [
    {"fullname": "a", "stats": {"data": [1, 2]}}, {"fullname": "b", "stats": {"mean": 5}},
    {"fullname": "a", "stats": {"data": [3]}}, {"fullname": "c", "stats": {"data": []}}]})");
  EXPECT_EQ(series_in(set, "a").values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(series_in(set, "b").values, (std::vector<double>{5}));
  EXPECT_EQ(set.failures, (std::map<BenchmarkId, std::string>{{{"c"}, "it has no time"}}));
  EXPECT_EQ(set.series.size(), 2u);
}

TEST(PytestBenchmark, IsRecognizedWithoutAMachine) {
  const std::string text = R"({"benchmarks": [{"fullname": "a", "stats": {"data": [1]}}]})";
  EXPECT_EQ(format_of(text).name, "pytest-benchmark");
  EXPECT_EQ(read_samples(text, "f").series.size(), 1u);
}

TEST(PytestBenchmark, LeavesOutParametersThatAreObjects) {
  const SampleSet set =
      samples_of(read_pytest_benchmark, R"({"benchmarks": [{"fullname": "a[f0]", "params":
    {"f": "UNSERIALIZABLE[<function f at 0x7f12>]", "n": 3}, "stats": {"data": [1]}}]})");
  EXPECT_EQ(series_in(set, "a[f0]").params, (Params{{"n", std::int64_t{3}}}));
}

TEST(PytestBenchmark, RefusesWithThePlace) {
  const auto read_one = [](const std::string& benchmark, const std::string& file) {
    read_pytest_benchmark("{\"benchmarks\":\n[" + benchmark + "]}", file);
  };
  expect_refused(read_one, "p.json:2:",
                 {{"7", "an object"},
                  {R"({"stats": {"data": [1]}})", "name"},
                  {R"({"fullname": "", "stats": {"data": [1]}})", "empty"},
                  {R"({"fullname": "a"})", "stats"},
                  {R"({"fullname": "a", "stats": 7})", "an object"},
                  {R"({"fullname": "a", "stats": {"data": 7}})", "an array"},
                  {R"({"fullname": "a", "stats": {"median": "7"}})", "a number, not text"},
                  {R"({"fullname": "a", "stats": {"data": ["7"]}})", "a number, not text"}});
}

}  // namespace
}  // namespace perf::formats
