#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_vllm_serve;

namespace {

SampleSet serve_set(const std::string& text) {
  return samples_of("vllm-serve", text);
}

std::string serve_result(const std::string& members) {
  return R"({"model_id": "m", "num_prompts": 10, "completed": 10, "request_throughput": 2)" +
         members + "}\n";
}

/// The judged metrics.
std::set<std::string> judged_in(const SampleSet& set) {
  std::set<std::string> names;
  for (const SampleSeries& series : set.series) {
    if (series.judge) {
      names.insert(series.metric.name);
    }
  }
  return names;
}

TEST(VllmServe, JudgesOneThroughputAndTheTokenLatencies) {
  const SampleSet set = serve_set(fixture_file("vllm_serve.json"));
  EXPECT_EQ(judged_in(set), (std::set<std::string>{"output_throughput", "ttft", "tpot"}));
  const std::string name = "meta-llama/Llama-3.1-8B-Instruct";
  EXPECT_EQ(series_in(set, name, "output_throughput").metric.better, Better::higher);
  EXPECT_EQ(series_in(set, name, "output_throughput").values, std::vector<double>{1024});
  EXPECT_EQ(series_in(set, name, "ttft").metric.better, Better::lower);
  EXPECT_DOUBLE_EQ(series_in(set, name, "ttft").values.at(0), 2.3);
  EXPECT_DOUBLE_EQ(series_in(set, name, "itl.p99").values.at(0), 0.15);
  EXPECT_EQ(series_in(set, name, "ttft").params.at("request_rate"), Param(std::string("inf")));
  EXPECT_FALSE(series_in(set, name, "ttft").params.contains("label"));
  EXPECT_FALSE(series_in(set, name, "ttft").params.contains("date"));
}

TEST(VllmServe, FailsWhereARequestFailed) {
  const auto why = [](const std::string& members) {
    const SampleSet set = serve_set(serve_result(members));
    return set.series.empty() && set.failures.size() == 1 ? set.failures.begin()->second : "none";
  };
  EXPECT_EQ(why(R"(, "failed": 3, "errors": ["", "HTTP 500", "x"])"),
            "3 of 13 requests failed: HTTP 500");
  const std::string older =
      R"({"model_id": "m", "num_prompts": 10, "completed": 9, "request_throughput": 2})";
  EXPECT_EQ(serve_set(older).failures.begin()->second, "1 of 10 requests failed");
  const std::string none =
      R"({"model_id": "m", "num_prompts": 0, "completed": 0, "request_throughput": 0})";
  EXPECT_EQ(serve_set(none).failures.size(), 1u);
  const std::string idle = R"({"model_id": "m", "num_prompts": 1, "completed": 1})";
  EXPECT_EQ(serve_set(idle).failures.begin()->second, "it has no throughput");
}

// An embedding has no tokens; without streaming or tokenizer vLLM writes 0.
TEST(VllmServe, JudgesWhatWasMeasured) {
  const SampleSet embedding = serve_set(serve_result(
      R"(, "total_token_throughput": 0, "median_e2el_ms": 8, "p99_e2el_ms": 9, "std_e2el_ms": 1)"));
  EXPECT_EQ(judged_in(embedding), (std::set<std::string>{"request_throughput", "e2el"}));
  const SampleSet silent = serve_set(serve_result(
      R"(, "output_throughput": 5, "median_ttft_ms": 0, "median_tpot_ms": 0, "probe_median_e2el_ms": 3)"));
  EXPECT_EQ(judged_in(silent), std::set<std::string>{"output_throughput"});
  EXPECT_EQ(silent.warnings.size(), 2u) << "0 is not measured";
}

TEST(VllmServe, ReadsAppendedResults) {
  const SampleSet set = serve_set(serve_result(R"(, "request_rate": "inf")") +
                                  serve_result(R"(, "request_rate": "inf")") +
                                  serve_result(R"(, "request_rate": 4)"));
  ASSERT_EQ(set.series.size(), 2u);
  EXPECT_EQ(set.series[0].values.size(), 2u) << "of the same load";
}

TEST(VllmServe, RefusesOtherTextWithThePlace) {
  expect_refused_at(
      format_reader("vllm-serve"), "v.json:",
      {"{}", "[1]", serve_result(R"(, "failed": "x")"), serve_result("") + "{\"model_id\": \"m\"",
       serve_result(R"(, "median_ttft_ms": "fast")")});
}

}  // namespace
}  // namespace perf::formats
