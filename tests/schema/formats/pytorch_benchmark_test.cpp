#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_pytorch_benchmark;

namespace {

SampleSet records_set(const std::string& text) {
  return samples_of("pytorch-benchmark", text);
}

std::string record(const std::string& metric, const std::string& others = "") {
  return R"({"benchmark": {"name": "b"}, "model": {"name": "m"}, "metric": )" + metric + others +
         "}\n";
}

// files/pytorch_benchmark.json is laid out as operator_benchmark/benchmark_core.py does.
TEST(PytorchBenchmark, ReadsRecordsOfOperators) {
  const SampleSet set = records_set(fixture_file("pytorch_benchmark.json"));
  ASSERT_EQ(set.series.size(), 4u) << "inference and training, with time and memory";
  const std::string name = "PyTorch operator benchmark/add_M64_N64_K128_cpu";
  EXPECT_DOUBLE_EQ(series_in(set, name).values.at(0), 42.5e-6);
  EXPECT_EQ(series_in(set, name).params.at("mode"), Param(std::string("inference")));
  EXPECT_TRUE(series_in(set, name, "peak memory").judge);
  EXPECT_EQ(set.environment.machine.at("arch"), "x86_64");
}

TEST(PytorchBenchmark, ReadsARecordALine) {
  const SampleSet set = records_set(fixture_file("pytorch_benchmark.jsonl"));
  EXPECT_TRUE(
      series_in(set, "pr_time_benchmarks/add_loop_eager", "compile_time_instruction_count").judge);
  EXPECT_EQ(series_in(set, "vLLM benchmark/m").values, (std::vector<double>{2.01, 2.03, 1.99}));
}

TEST(PytorchBenchmark, KnowsTheDirectionOfMetrics) {
  const auto read = [](const std::string& metric) {
    return records_set(record(metric)).series.at(0);
  };
  const SampleSeries rate = read(R"({"name": "token_per_sec", "benchmark_values": ["95.5"]})");
  EXPECT_EQ(rate.values, std::vector<double>{95.5}) << "gpt_fast writes text";
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_TRUE(rate.judge);
  const SampleSeries first = read(R"({"name": "median_ttft_ms", "benchmark_values": [5]})");
  EXPECT_EQ(first.metric.unit, "ms");
  EXPECT_TRUE(first.judge);
  EXPECT_FALSE(read(R"({"name": "mean_ttft_ms", "benchmark_values": [5]})").judge);
  EXPECT_FALSE(read(R"({"name": "accuracy", "benchmark_values": [1]})").judge);
  EXPECT_TRUE(read(R"({"name": "load", "unit": "ms", "benchmark_values": [5]})").judge);
}

TEST(PytorchBenchmark, CountsNoFailure) {
  const SampleSet set = records_set(record(R"({"name": "speedup", "benchmark_values": [-1, 0]})") +
                                    record(R"({"name": "latency", "benchmark_values": [1, 2]})"));
  EXPECT_EQ(records_set(record(R"({"name": "speedup", "benchmark_values": []})")).warnings.size(),
            1u);
  ASSERT_EQ(set.series.size(), 1u);
  ASSERT_EQ(set.warnings.size(), 1u);
  EXPECT_EQ(set.warnings[0].figures.at("values"), 2);
}

TEST(PytorchBenchmark, TakesCommitAndMachineOfAnUpload) {
  const std::string upload = record(
      R"({"name": "latency", "benchmark_values": [1]})",
      R"(, "head_sha": "0ab1", "runners": [{"gpu_info": "NVIDIA A100", "gpu_count": 1, "type": "x"}])");
  const ImportedSession session = read_pytorch_benchmark(upload, "p").at(0);
  EXPECT_EQ(session.commit, "0ab1");
  EXPECT_EQ(session.samples.environment.machine.at("gpu_info"), "NVIDIA A100");
}

TEST(PytorchBenchmark, RefusesEqualRecords) {
  const std::string latency = record(R"({"name": "latency", "benchmark_values": [1]})");
  EXPECT_TRUE(records_set(latency + latency).series.empty()) << "which one is which is not known";
}

TEST(PytorchBenchmark, RefusesOtherTextWithThePlace) {
  expect_refused_at(
      format_reader("pytorch-benchmark"), "p.json:",
      {R"([{"metric": {"name": "latency", "benchmark_values": [1]}}])", "[{}]",
       R"([{"repo": "pytorch/pytorch"}])", record("{}"),
       record(R"({"name": "latency", "benchmark_values": 5})"),
       record(R"({"name": "latency", "benchmark_values": [1]})") + "{\"benchmark\": {\n"});
}

}  // namespace
}  // namespace perf::formats
