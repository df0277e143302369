#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_vllm_latency;

namespace {

TEST(VllmLatency, ReadsTheLatencyOfEachBatch) {
  const SampleSet set = read_vllm_latency(fixture_file("vllm_latency.json"), "v").at(0).samples;
  ASSERT_EQ(set.series.size(), 1u);
  EXPECT_EQ(series_in(set, "latency").values, (std::vector<double>{2.01, 2.03, 1.99, 2.0}));
  EXPECT_TRUE(series_in(set, "latency").judge);
}

TEST(VllmLatency, FailsWithoutLatencies) {
  EXPECT_EQ(read_vllm_latency(R"({"latencies": []})", "v").at(0).samples.failures.size(), 1u);
  for (const char* text : {"{}", "[]", R"({"latencies": 1})", R"({"latencies": ["x"]})"}) {
    EXPECT_EQ(refusal_of([&] { read_vllm_latency(text, "v"); }).subject.rfind("v:", 0), 0u) << text;
  }
}

}  // namespace
}  // namespace perf::formats
