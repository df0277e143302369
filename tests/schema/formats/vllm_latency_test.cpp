#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_vllm_latency;

namespace {

TEST(VllmLatency, ReadsTheLatencyOfEachBatch) {
  const SampleSet set = samples_of(read_vllm_latency, fixture_file("vllm_latency.json"));
  ASSERT_EQ(set.series.size(), 1u);
  EXPECT_EQ(series_in(set, "latency").values, (std::vector<double>{2.01, 2.03, 1.99, 2.0}));
  EXPECT_TRUE(series_in(set, "latency").judge);
}

TEST(VllmLatency, FailsWithoutLatencies) {
  EXPECT_EQ(samples_of(read_vllm_latency, R"({"latencies": []})").failures.size(), 1u);
  expect_refused_at(read_vllm_latency,
                    "v:", {"{}", "[]", R"({"latencies": 1})", R"({"latencies": ["x"]})"});
}

}  // namespace
}  // namespace perf::formats
