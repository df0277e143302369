#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_criterion;

namespace {

const std::string kBencher =
    "running 3 tests\n"
    "test fibonacci/recursive/10 ... bench:       1,234 ns/iter (+/- 56)\n"
    "test decode ... bench:        20.50 us/iter (+/- 1.20) = 555 MB/s\n"
    "test works ... ok\n"
    "test broken ... FAILED\n\n"
    "test result: FAILED. 1 passed; 1 failed; 0 ignored; 2 measured; 0 filtered out\n";

// files/criterion.jsonl is written to the format of cargo-criterion 1.1.
TEST(Criterion, ReadsTheMessagesOfCargoCriterion) {
  const SampleSet set = read_criterion(fixture_file("criterion.jsonl"), "old.json").at(0).samples;
  const SampleSeries& norm = series_in(set, "norm");
  EXPECT_EQ(norm.metric, kStepTime);
  EXPECT_TRUE(norm.judge);
  ASSERT_EQ(norm.values.size(), 3u);
  EXPECT_DOUBLE_EQ(norm.values[0], 4140e-9);
  EXPECT_DOUBLE_EQ(norm.values[2], 4200e-9);
  const SampleSeries& rate = series_in(set, "norm", "elements_per_second");
  EXPECT_DOUBLE_EQ(rate.values[0], 1024 / 4140e-9);
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_FALSE(rate.judge) << "it repeats the time";
}

TEST(Criterion, KeepsOtherMeasurementsInTheirUnit) {
  const SampleSet set = read_criterion(fixture_file("criterion.jsonl"), "old.json").at(0).samples;
  const SampleSeries& cycles = series_in(set, "copy/4096", "value");
  EXPECT_EQ(cycles.metric.unit, "cycles");
  EXPECT_EQ(cycles.values, (std::vector<double>{100, 120}));
  EXPECT_FALSE(cycles.judge);
  EXPECT_EQ(set.series.size(), 3u) << "bytes a cycle are no rate of time";
}

TEST(Criterion, ReadsBencherText) {
  const SampleSet set = read_criterion(kBencher, "bench.txt").at(0).samples;
  EXPECT_DOUBLE_EQ(series_in(set, "fibonacci/recursive/10").values.at(0), 1234e-9);
  EXPECT_DOUBLE_EQ(series_in(set, "decode").values.at(0), 20.5e-6);
  EXPECT_DOUBLE_EQ(series_in(set, "decode", "bytes_per_second").values.at(0), 555e6);
  EXPECT_EQ(set.failures, (std::map<BenchmarkId, std::string>{{{"broken"}, "FAILED"}}));
  EXPECT_EQ(set.series.size(), 3u);
}

TEST(Criterion, ReadsTheFilesThatItLeaves) {
  const SampleSet set =
      read_criterion_files(
          {{"target/criterion/fib/10/new",
            R"({"group_id":"fib","function_id":null,"value_str":"10","throughput":{"Bytes":100},
            "full_id":"fib/10","directory_name":"fib/10","title":"fib/10"})",
            R"({"sampling_mode":"Linear","iters":[10.0,20.0],"times":[1000.0,3000.0]})"},
           {"target/criterion/sum/new", R"({"full_id":"sum","throughput":null})",
            R"({"sampling_mode":"Flat","iters":[1.0],"times":[7.0]})"}},
          "target/criterion")
          .samples;
  EXPECT_EQ(set.source, "target/criterion");
  const std::vector<double>& values = series_in(set, "fib/10").values;
  ASSERT_EQ(values.size(), 2u);
  EXPECT_DOUBLE_EQ(values[0], 100e-9);
  EXPECT_DOUBLE_EQ(values[1], 150e-9);
  EXPECT_DOUBLE_EQ(series_in(set, "fib/10", "bytes_per_second").values[0], 1e9);
  EXPECT_DOUBLE_EQ(series_in(set, "sum").values[0], 7e-9);
}

TEST(Criterion, RefusesMessagesWithThePlace) {
  const auto message = [](const std::string& members) {
    return "{\"reason\":\"group-complete\"}\nwarning: unused\n"
           "{\"reason\":\"benchmark-complete\"," +
           members + "}";
  };
  for (const auto& [members, what] : std::vector<std::pair<std::string, std::string>>{
           {R"("unit":"ns")", "id"},
           {R"("id":"","unit":"ns","measured_values":[1],"iteration_count":[1])", "empty"},
           {R"("id":"a","measured_values":[1],"iteration_count":[1])", "unit"},
           {R"("id":"a","unit":"ns","measured_values":[1,2],"iteration_count":[1])",
            "2 measured values for 1 iteration counts"},
           {R"("id":"a","unit":"ns","measured_values":[],"iteration_count":[])", "0 measured"},
           {R"("id":"a","unit":"ns","measured_values":[1],"iteration_count":[0])", "below 1"},
           {R"("id":"a","unit":"ns","measured_values":[-1],"iteration_count":[1])", "negative"},
           {R"("id":"a","unit":"ns","measured_values":[1],"iteration_count":[1],"x":})",
            "literal"}}) {
    const UsageError error =
        refusal_of([&, text = members] { read_criterion(message(text), "c.json"); });
    EXPECT_NE(error.what.find(what), std::string::npos) << members << ": " << error.what;
    EXPECT_EQ(error.subject.rfind("c.json:3:", 0), 0u) << error.subject;
  }
  EXPECT_EQ(refusal_of([&] { read_criterion("{\"reason\":\"x\"}", "c.json"); }).what,
            "no benchmark result");
}

TEST(Criterion, RefusesBencherTextWithTheLine) {
  for (const auto& [line, what] : std::vector<std::pair<std::string, std::string>>{
           {"test a ... bench: twelve ns/iter (+/- 1)", "\"twelve\""},
           {"test a ... bench: -3 ns/iter (+/- 1)", "\"-3\""},
           {"test a ... bench: 1e300 ns/iter (+/- 1)", "invalid number"},
           {"test a ... bench: 1,23 ns/iter (+/- 1)", "invalid number"},
           {"test a ... bench: 1,2,4 ns/iter (+/- 1)", "invalid number"},
           {"test a ... bench: ,234 ns/iter (+/- 1)", "invalid number"},
           {"test a ... bench: 1234,567 ns/iter (+/- 1)", "invalid number"},
           {"test a ... bench: 1,234.5,000 ns/iter (+/- 1)", "invalid number"},
           {"test a ... bench: 9,007,199,254,740,993 ns/iter (+/- 1)", "invalid number"},
           {"test a ... bench: 12", "unit"},
           {"test a ... bench:", "invalid number"},
           {"test a\xff ... bench: 3 ns/iter (+/- 1)", "UTF-8"}}) {
    const UsageError error =
        refusal_of([&, text = line] { read_criterion(kBencher + text, "b.txt"); });
    EXPECT_NE(error.what.find(what), std::string::npos) << line << ": " << error.what;
    EXPECT_EQ(error.subject, "b.txt:8");
  }
  for (const char* text : {"", "running 0 tests\n", "test a ... ok\n"}) {
    EXPECT_EQ(refusal_of([&] { read_criterion(text, "b.txt"); }).what, "no benchmark result");
  }
}

TEST(Criterion, LeavesOutNamesThatComeTwice) {
  const SampleSet set =
      read_criterion(kBencher + "test decode ... bench: 3 ns/iter (+/- 1)\n", "b").at(0).samples;
  EXPECT_TRUE(set.skipped.contains({"decode"}));
  EXPECT_THROW(series_in(set, "decode"), std::runtime_error);
}

TEST(Criterion, RefusesFilesWithTheirName) {
  const auto of = [](const std::string& benchmark, const std::string& sample) {
    return refusal_of([&] { read_criterion_files({{"d", benchmark, sample}}, "."); }).subject;
  };
  EXPECT_EQ(of("{}", "{}"), "d/benchmark.json:1:1");
  EXPECT_EQ(of(R"({"full_id":"a"})", R"({"iters":[1]})"), "d/sample.json:1:1");
  EXPECT_EQ(of(R"({"full_id":"a","throughput":{"Bytes":"x"}})", "{}"), "d/benchmark.json:1:38");
  EXPECT_EQ(refusal_of([] { read_criterion_files({}, "target"); }).subject, "target:1:1");
}

}  // namespace
}  // namespace perf::formats
