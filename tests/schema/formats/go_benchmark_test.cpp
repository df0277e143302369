#include <gtest/gtest.h>

#include "reporter/text/sentences.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/formats/reading.h"

namespace perf::formats {

FormatReader read_go_benchmark;

namespace {

std::string go_fixture() {
  return content_of(PERF_SOURCE_DIR "/tests/schema/formats/files/go.txt");
}

const SampleSeries& series(const SampleSet& set, const std::string& name, const std::string& metric,
                           const std::string& package) {
  for (const SampleSeries& one : set.series) {
    if (one.name == name && one.metric.name == metric && one.params == Params{{"pkg", package}}) {
      return one;
    }
  }
  throw std::runtime_error("no series " + name + " " + metric);
}

UsageError go_benchmark_error(const std::string& text) {
  try {
    read_go_benchmark(text, "old.txt");
  } catch (const UsageError& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text;
  return {"", ""};
}

TEST(GoBenchmark, ReadsRepetitionsInOrderAndInBaseUnits) {
  const SampleSet set = read_go_benchmark(go_fixture(), "old.txt").at(0).samples;
  const SampleSeries& time =
      series(set, "BenchmarkDecode/size=1e4-8", "step_time", "compress/flate");
  EXPECT_EQ(time.metric, kStepTime);
  EXPECT_TRUE(time.judge);
  ASSERT_EQ(time.values.size(), 3u);
  EXPECT_DOUBLE_EQ(time.values[0], 154125e-9);
  EXPECT_DOUBLE_EQ(time.values[1], 153900e-9);
  EXPECT_DOUBLE_EQ(time.values[2], 154501e-9);
  const SampleSeries& rate =
      series(set, "BenchmarkDecode/size=1e4-8", "bytes_per_second", "compress/flate");
  EXPECT_DOUBLE_EQ(rate.values[0], 64.88e6);
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_FALSE(rate.judge) << "it repeats the time";
  const SampleSeries& bytes =
      series(set, "BenchmarkDecode/size=1e4-8", "bytes_per_op", "compress/flate");
  EXPECT_EQ(bytes.metric.unit, "B");
  EXPECT_TRUE(bytes.judge);
  EXPECT_EQ(bytes.values, (std::vector<double>{40418, 40418, 40420}));
  EXPECT_EQ(series(set, "BenchmarkDecode/size=1e4-8", "allocs_per_op", "compress/flate").values[2],
            7);
}

TEST(GoBenchmark, SeparatesPackages) {
  const SampleSet set = read_go_benchmark(go_fixture(), "old.txt").at(0).samples;
  EXPECT_EQ(series(set, "BenchmarkDecode/size=1e4-8", "step_time", "compress/gzip").values,
            (std::vector<double>{1e-3}));
}

TEST(GoBenchmark, ReadsCustomUnitsAndTheirDirection) {
  const SampleSet set = read_go_benchmark(go_fixture(), "old.txt").at(0).samples;
  const SampleSeries& hits = series(set, "BenchmarkCache-8", "hits/op", "compress/flate");
  EXPECT_EQ(hits.metric.better, Better::higher);
  EXPECT_TRUE(hits.judge);
  const SampleSeries& tail = series(set, "BenchmarkCache-8", "p99-ns/op", "compress/flate");
  EXPECT_DOUBLE_EQ(tail.values[0], 12.5e-9);
  EXPECT_EQ(tail.metric.unit, "s");
  EXPECT_FALSE(tail.judge) << "nobody said which direction is good";
  EXPECT_TRUE(series(set, "BenchmarkCache-8", "misses", "compress/flate").judge);
}

TEST(GoBenchmark, MarksExactMetrics) {
  const SampleSet set =
      read_go_benchmark(
          "Unit words better=lower assume=exact\nUnit lines better=lower assume=nothing\n"
          "BenchmarkX 1 2 ns/op 3 B/op 4 allocs/op 5 words 6 lines",
          "f")
          .at(0)
          .samples;
  for (const SampleSeries& one : set.series) {
    EXPECT_EQ(one.exact, one.metric.name == "allocs_per_op" || one.metric.name == "words")
        << one.metric.name;
  }
}

TEST(GoBenchmark, ReadsTheMachineAndWarnsOfSkippedLines) {
  const SampleSet set = read_go_benchmark(go_fixture(), "old.txt").at(0).samples;
  EXPECT_EQ(set.environment.machine.at("cpu"), "AMD EPYC 7B13");
  EXPECT_EQ(set.environment.machine.size(), 3u);
  EXPECT_FALSE(set.environment.fingerprint.empty());
  EXPECT_EQ(set.environment.facts.at("commit"), "7cd9055");
  ASSERT_EQ(set.warnings.size(), 1u);
  EXPECT_EQ(reporter::sentence(set.warnings[0]),
            "1 line begins like a benchmark's but is not a result");
}

TEST(GoBenchmark, HasNoFingerprintWithoutACpu) {
  const SampleSet set = read_go_benchmark("goos: linux\nBenchmarkX 1 2 ns/op", "f").at(0).samples;
  EXPECT_EQ(set.environment.fingerprint, "");
  EXPECT_EQ(set.environment.machine.size(), 1u);
  EXPECT_TRUE(set.series[0].params.empty());
}

TEST(GoBenchmark, RefusesWithTheLine) {
  const std::string good = "BenchmarkX-8 10 5 ns/op\n";
  for (const auto& [line, what] : std::vector<std::pair<std::string, std::string>>{
           {"BenchmarkX-8 10 5", "unit"},
           {"BenchmarkX-8 10 5 ns/op 7", "unit"},
           {"BenchmarkX-8 10 five ns/op", "\"five\""},
           {"BenchmarkX-8 10 nan ns/op", "\"nan\""},
           {"BenchmarkX-8 10 inf ns/op", "\"inf\""},
           {"BenchmarkX-8 10 1e300 ns/op", "invalid value"},
           {"BenchmarkX-8 10 9007199254740993 ns/op", "invalid value"},
           {"BenchmarkX-8 10 -5 ns/op", "negative"},
           {"BenchmarkX-8 10 5 ns/op 6 ns/op", "duplicate"},
           {"BenchmarkX-8 10 5 ns/op \xff 3", "UTF-8"},
           {"cpu: A\nBenchmarkX-8 10 5 ns/op\ncpu: B\nBenchmarkX-8 10 5 ns/op", "two machines"}}) {
    const UsageError error = go_benchmark_error(good + line);
    EXPECT_NE(error.what.find(what), std::string::npos) << line << ": " << error.what;
    EXPECT_EQ(error.subject.rfind("old.txt:", 0), 0u) << error.subject;
    EXPECT_NE(error.subject, "old.txt:1");
  }
}

TEST(GoBenchmark, RefusesATextWithoutAResult) {
  for (const char* text : {"", "PASS\n", "BenchmarkX-8\n", "Benchmarking 1 2 ns/op\n",
                           "  BenchmarkX-8 1 2 ns/op\n", "BenchmarkX-8 0 2 ns/op\n"}) {
    EXPECT_EQ(go_benchmark_error(text).what, "no benchmark result") << text;
  }
}

}  // namespace
}  // namespace perf::formats
