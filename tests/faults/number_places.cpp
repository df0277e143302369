#include "tests/faults/number_places.h"

#include "tests/words.h"

namespace perf::test {

const std::vector<std::string>& bad_numbers() {
  static const std::vector<std::string> numbers = words(
      "NaN Infinity -Infinity -1 5e-324 1e-160 1e160 1e308 1e309 1e-400 0x10 9007199254740993 "
      "-9007199254740993 18446744073709551616 1e --1 true \"1\" [1] null");
  return numbers;
}

const std::vector<Place>& number_places() {
  /// Other tools write odd values, each of which costs its own benchmark: these are no faults of
  /// their files.
  static const std::vector<std::string> measured =
      words("NaN Infinity -Infinity -1 5e-324 1e-160 1e160 1e308 null");
  static const std::vector<std::string> written =
      words("NaN Infinity -Infinity -1 5e-324 1e-160 1e160 1e308 null \"1\"");
  /// Metrics without direction may be negative, and lists with gaps allow null: more is valid
  /// there.
  static const std::vector<Place> places{
      {"steps",
       R"({"type":"begin","protocol":1}
{"type":"step","seconds":@}
{"type":"end"}
)"},
      {"steps",
       R"({"type":"begin","protocol":1}
{"type":"step","seconds":1,"phases":{"p":@}}
{"type":"end"}
)"},
      {"steps",
       R"({"type":"begin","protocol":1}
{"type":"step","seconds":1,"rss":@}
{"type":"end"}
)",
       {"null"}},
      {"steps",
       R"(
{"type":"begin","protocol":1,"tokens_per_step":@}
{"type":"step","seconds":1}
{"type":"end"}
)",
       {"null"}},
      {"steps",
       R"({"type":"begin","protocol":1}
{"type":"metric","name":"m","better":"lower","judge":true,"value":@}
{"type":"step","seconds":1}
{"type":"end"}
)"},
      {"google-benchmark",
       R"({"benchmarks":[
{"name":"a","time_unit":"s","real_time":@}]})",
       measured},
      {"google-benchmark",
       R"({"benchmarks":[
{"name":"a","time_unit":"s","real_time":1,"cpu_time":@}]})",
       measured},
      {"hyperfine", R"({"results":[
{"command":"a","times":[@]}]})",
       measured},
      {"hyperfine", R"({"results":[
{"command":"a","median":@}]})",
       measured},
      {"hyperfine", R"({"results":[
{"command":"a","median":1,"memory_usage_byte":[@]}]})",
       measured},
      {"hyperfine",
       R"({"results":[
{"command":"a","median":1,"user":@}]})",
       measured},
      {"pytest-benchmark", R"({"benchmarks":[
{"name":"a","stats":{"data":[@]}}]})",
       measured},
      {"pytest-benchmark", R"({"benchmarks":[
{"name":"a","stats":{"median":@}}]})",
       measured},
      {"criterion",
       R"({"reason":"x"}
{"reason":"benchmark-complete","id":"a","unit":"ns","iteration_count":[1],"measured_values":[@]})",
       measured},
      {"criterion",
       R"({"reason":"x"}
{"reason":"benchmark-complete","id":"a","unit":"ns","iteration_count":[@],"measured_values":[1]})",
       measured},
      {"criterion", "test a ... bench: 1 ns/iter (+/- 1)\ntest b ... bench: @ ns/iter (+/- 1)\n",
       bad_numbers()},
      {"go", "BenchmarkA 1 1 ns/op\nBenchmarkB 1 @ ns/op\n", bad_numbers()},
      {"asv",
       R"({"result_columns":["result"],"results":{
"m.time_a":[[@]]}})",
       measured},
      {"asv",
       R"({"result_columns":["result","samples"],"results":{
"m.time_a":[[1],[[@]]]}})",
       measured},
      {"github-action-benchmark",
       R"({"entries":{"s":[{"commit":{"id":"a"},"tool":"cargo","benches":[
{"name":"a","unit":"ns/iter","value":@}]}]}})",
       written},
      {"jmh",
       R"([{"benchmark":"a","mode":"avgt","primaryMetric":{"scoreUnit":"s/op","score":1,"rawData":[[
@]]}}])",
       measured},
      {"benchmarkdotnet", R"({"Benchmarks":[{"FullName":"a","Statistics":{"OriginalValues":[
@]}}]})",
       measured},
      {"nanobench", R"({"results":[{"title":"a","name":"a","measurements":[
{"elapsed":@}]}]})",
       measured},
      {"llama-bench", R"([{"n_prompt":1,"n_gen":0,"samples_ns":[
@]}])",
       measured},
      {"vllm-latency", R"({"avg_latency":1,"latencies":[
@]})",
       measured},
      {"vllm-serve", R"({"model_id":"a","num_prompts":1,"completed":1,"request_throughput":
@})",
       measured},
      {"vllm-serve", R"({"model_id":"a","num_prompts":1,"completed":1,"median_ttft_ms":
@})",
       measured},
      {"pytorch-benchmark",
       R"([{"benchmark":{},"model":{"name":"a"},"metric":{"name":"latency","benchmark_values":[
@]}}])",
       written},
      {"nvbench",
       R"({"devices":[],"benchmarks":[{"name":"a","states":[{"name":"","summaries":[
{"tag":"nv/cold/time/gpu/mean","data":[{"name":"value","value":@}]}]}]}]})",
       written},
      {"optimum-benchmark",
       R"({"a":{"throughput":null,"memory":null,"latency":{"unit":"s","values":[
@]}}})",
       measured},
      {"optimum-benchmark",
       R"({"a":{"throughput":null,"latency":null,"memory":{"unit":"MB","max_reserved":1,"max_ram":
@}}})",
       measured},
      {"judge", R"({"cases":{"a":{"base":[[1]],
"head":[[@]]}}})"},
      {"judge",
       R"({"cases":{"a":{"base":[],"head":[],
"threshold":@}}})",
       {"5e-324", "1e-160", "null"},
       "0.02"},
      {"detect",
       R"({"a":[1,
@]})",
       {"NaN", "Infinity", "-Infinity", "null", "-1", "5e-324", "1e-160", "1e160", "1e308"}},
      {"detect",
       "b 1 2\na 1 @\n",
       {"NaN", "Infinity", "-Infinity", "null", "-1", "5e-324", "1e-160", "1e160", "1e308",
        R"("1")"}},
      {"detect",
       "series,index,value\na,1,@\n",
       {"NaN", "Infinity", "-Infinity", "null", "-1", "5e-324", "1e-160", "1e160", "1e308",
        R"("1")"}},
      {"report",
       R"({"schema":"perf-compare/report/1","head":{"oid":"a"},"environment":{},)"
       R"("comparisons":[{"workload":"w","metric":"m","unit":"s","better":"lower",
"head":{"median":@}}]})",
       {"-1", "null"}},
      {"report",
       R"({"schema":"perf-compare/report/1","head":{"oid":"a"},"environment":{},)"
       R"("comparisons":[{"workload":"w","metric":"m","unit":"s","better":"lower",
"head":{"median":1,"steps":@}}]})",
       {"null"}},
      {"config",
       R"({"workloads":[{"name":"a","command":["x"],
"timeout":@}]})",
       {},
       R"("5m")"},
      {"config", R"({"workloads":[{"name":"a","command":["x"],
"timeout":"@s"}]})"},
      {"config",
       R"({"workloads":[{"name":"a","command":["x"],
"params":{"p":@}}]})",
       {"-1", "5e-324", "1e-160", "1e160", "1e308", "true", R"("1")"}},
      {"config",
       R"({"workloads":[{"name":"a","command":["x"]}], "policy":{
"threshold":@}})",
       {},
       R"("5%")"},
      {"config",
       R"({"workloads":[{"name":"a","command":["x"]}], "policy":{
"threshold":"@%"}})"},
      {"config",
       R"({"workloads":[{"name":"a","command":["x"]}], "policy":{
"budget":"@m"}})"},
      {"config",
       R"({"workloads":[{"name":"a","command":["x"]}], "targets":[{"name":"t","of":"a",
"at_most":@}]})",
       {"-1", "5e-324", "1e-160", "1e160", "1e308"}},
  };
  return places;
}

}  // namespace perf::test
