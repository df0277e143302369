#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {
namespace {

SampleSet report_set(const std::string& text) {
  return samples_of("optimum-benchmark", text);
}

/// "TARGET METRIC" of what is judged.
std::set<std::string> judged_targets(const SampleSet& set) {
  std::set<std::string> judged;
  for (const SampleSeries& series : set.series) {
    if (series.judge) {
      judged.insert(series.name + " " + series.metric.name);
    }
  }
  return judged;
}

TEST(OptimumBenchmark, JudgesTargetsThatRepeatNoOther) {
  const SampleSet set = report_set(fixture_file("optimum_benchmark.json"));
  EXPECT_EQ(
      judged_targets(set),
      (std::set<std::string>{"decode max_allocated", "decode step_time", "first_generate step_time",
                             "load_model max_allocated", "load_model step_time",
                             "prefill max_allocated", "prefill step_time"}));
  EXPECT_EQ(series_in(set, "decode").values, (std::vector<double>{0.4, 0.41, 0.39}));
  EXPECT_EQ(series_in(set, "decode", "max_allocated").values, std::vector<double>{950e6});
  EXPECT_EQ(series_in(set, "decode", "throughput").metric.unit, "tokens/s");
  EXPECT_EQ(series_in(set, "per_token", "latency").values.size(), 4u);
  EXPECT_TRUE(series_in(set, "load_model").judge);
  const SampleSet both = report_set(R"({"config": {"name": "x"}, "report": )" +
                                    fixture_file("optimum_benchmark.json") + "}");
  EXPECT_EQ(judged_targets(both), judged_targets(set)) << "benchmark.json";
}

std::string target_of(const std::string& latency, const std::string& memory) {
  return R"({"forward": {"throughput": null, "latency": )" + latency + R"(, "memory": )" + memory +
         "}}";
}

TEST(OptimumBenchmark, TakesThePeakOfTheProcessWithoutAnAllocator) {
  const SampleSet set = report_set(target_of(
      "null", R"({"unit": "MB", "max_ram": 1.5, "max_reserved": null, "max_allocated": null})"));
  EXPECT_EQ(judged_targets(set), std::set<std::string>{"forward max_ram"});
  EXPECT_EQ(set.series.at(0).values, std::vector<double>{1.5e6});
}

TEST(OptimumBenchmark, FailsWithoutValues) {
  EXPECT_EQ(report_set(target_of(R"({"unit": "s", "values": [], "mean": 3})", "null"))
                .failures.at({"forward"}),
            "it has no latency");
  EXPECT_EQ(report_set(target_of(R"({"unit": "s", "values": [-1]})", "null")).failures.size(), 1u);
}

TEST(OptimumBenchmark, RefusesOtherTextWithThePlace) {
  expect_refused_at(format_reader("optimum-benchmark"), "o.json:",
                    {"{}", "[]", R"({"forward": null})", target_of("null", "null"),
                     target_of(R"({"values": [1]})", "null"),
                     target_of(R"({"unit": "parsec", "values": [1]})", "null"),
                     target_of("null", R"({"unit": "pages", "max_ram": 1})")});
}

}  // namespace
}  // namespace perf::formats
