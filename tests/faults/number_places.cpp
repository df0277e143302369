#include "tests/faults/number_places.h"

namespace perf::test {

const std::vector<std::string>& bad_numbers() {
  static const std::vector<std::string> numbers{"NaN",
                                                "Infinity",
                                                "-Infinity",
                                                "-1",
                                                "5e-324",
                                                "1e-160",
                                                "1e160",
                                                "1e308",
                                                "1e309",
                                                "1e-400",
                                                "0x10",
                                                "9007199254740993",
                                                "-9007199254740993",
                                                "18446744073709551616",
                                                "1e",
                                                "--1",
                                                "true",
                                                "\"1\"",
                                                "[1]",
                                                "null"};
  return numbers;
}

const std::vector<Place>& number_places() {
  /// Of a metric that has no direction and may be negative, or a list where gaps are known, more is
  /// right.
  static const std::vector<Place> places{
      {"steps",
       "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"step\",\"seconds\":@}\n{\"type\":\"end\"}"
       "\n"},
      {"steps",
       "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"step\",\"seconds\":1,\"phases\":{\"p\":@}}"
       "\n{\"type\":\"end\"}\n"},
      {"steps",
       "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"step\",\"seconds\":1,\"rss\":@}\n{"
       "\"type\":"
       "\"end\"}\n",
       {"null"}},
      {"steps",
       "\n{\"type\":\"begin\",\"protocol\":1,\"tokens_per_step\":@}\n{\"type\":\"step\","
       "\"seconds\":"
       "1}\n{\"type\":\"end\"}\n",
       {"null"}},
      {"steps",
       "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"metric\",\"name\":\"m\",\"better\":"
       "\"lower\",\"judge\":true,\"value\":@}\n{\"type\":\"step\",\"seconds\":1}\n{\"type\":"
       "\"end\"}"
       "\n"},
      {"google-benchmark",
       "{\"benchmarks\":[\n{\"name\":\"a\",\"time_unit\":\"s\",\"real_time\":@}]}"},
      {"google-benchmark",
       "{\"benchmarks\":[\n{\"name\":\"a\",\"time_unit\":\"s\",\"real_time\":1,\"cpu_time\":@}]}"},
      {"hyperfine", "{\"results\":[\n{\"command\":\"a\",\"times\":[1,@]}]}"},
      {"hyperfine", "{\"results\":[\n{\"command\":\"a\",\"median\":@}]}"},
      {"hyperfine", "{\"results\":[\n{\"command\":\"a\",\"median\":1,\"memory_usage_byte\":[@]}]}"},
      {"hyperfine", "{\"results\":[\n{\"command\":\"a\",\"median\":1,\"user\":@}]}", {"null"}},
      {"pytest-benchmark", "{\"benchmarks\":[\n{\"name\":\"a\",\"stats\":{\"data\":[@]}}]}"},
      {"pytest-benchmark", "{\"benchmarks\":[\n{\"name\":\"a\",\"stats\":{\"median\":@}}]}"},
      {"criterion",
       "{\"reason\":\"x\"}\n{\"reason\":\"benchmark-complete\",\"id\":\"a\",\"unit\":\"ns\","
       "\"iteration_count\":[1],\"measured_values\":[@]}"},
      {"criterion",
       "{\"reason\":\"x\"}\n{\"reason\":\"benchmark-complete\",\"id\":\"a\",\"unit\":\"ns\","
       "\"iteration_count\":[@],\"measured_values\":[1]}"},
      {"criterion", "test a ... bench: 1 ns/iter (+/- 1)\ntest b ... bench: @ ns/iter (+/- 1)\n"},
      {"go", "BenchmarkA 1 1 ns/op\nBenchmarkB 1 @ ns/op\n"},
      {"asv",
       "{\"result_columns\":[\"result\"],\"results\":{\n\"m.time_a\":[[@]]}}",
       {"NaN", "Infinity", "-Infinity", "null"}},
      {"asv",
       "{\"result_columns\":[\"result\",\"samples\"],\"results\":{\n\"m.time_a\":[[1],[[@]]]}}"},
      {"github-action-benchmark",
       "{\"entries\":{\"s\":[{\"commit\":{\"id\":\"a\"},\"tool\":\"cargo\",\"benches\":[\n{"
       "\"name\":"
       "\"a\",\"unit\":\"ns/iter\",\"value\":@}]}]}}",
       {"null"}},
      {"judge", "{\"cases\":{\"a\":{\"base\":[[1]],\n\"head\":[[@]]}}}"},
      {"judge",
       "{\"cases\":{\"a\":{\"base\":[],\"head\":[],\n\"threshold\":@}}}",
       {"5e-324", "1e-160", "null"}},
      {"detect",
       "{\"a\":[1,\n@]}",
       {"NaN", "Infinity", "-Infinity", "null", "-1", "5e-324", "1e-160", "1e160", "1e308"}},
      {"detect",
       "b 1 2\na 1 @\n",
       {"NaN", "Infinity", "-Infinity", "null", "-1", "5e-324", "1e-160", "1e160", "1e308",
        "\"1\""}},
      {"detect",
       "series,index,value\na,1,@\n",
       {"NaN", "Infinity", "-Infinity", "null", "-1", "5e-324", "1e-160", "1e160", "1e308",
        "\"1\""}},
      {"report",
       "{\"schema\":\"perf-compare/report/"
       "1\",\"head\":{\"oid\":\"a\"},\"environment\":{},\"comparisons\":[{\"workload\":\"w\","
       "\"metric\":\"m\",\"unit\":\"s\",\"better\":\"lower\",\n\"head\":{\"median\":@}}]}",
       {"-1", "null"}},
      {"report",
       "{\"schema\":\"perf-compare/report/"
       "1\",\"head\":{\"oid\":\"a\"},\"environment\":{},\"comparisons\":[{\"workload\":\"w\","
       "\"metric\":\"m\",\"unit\":\"s\",\"better\":\"lower\",\n\"head\":{\"median\":1,\"steps\":@}}"
       "]"
       "}",
       {"null"}},
      {"config",
       "{\"workloads\":[{\"name\":\"a\",\"command\":[\"x\"],\n\"timeout\":@}]}",
       {},
       "\"5m\""},
      {"config", "{\"workloads\":[{\"name\":\"a\",\"command\":[\"x\"],\n\"timeout\":\"@s\"}]}"},
      {"config",
       "{\"workloads\":[{\"name\":\"a\",\"command\":[\"x\"],\n\"params\":{\"p\":@}}]}",
       {"-1", "5e-324", "1e-160", "1e160", "1e308", "true", "\"1\""}},
      {"config",
       "{\"workloads\":[{\"name\":\"a\",\"command\":[\"x\"]}], \"policy\":{\n\"threshold\":@}}",
       {},
       "\"5%\""},
      {"config",
       "{\"workloads\":[{\"name\":\"a\",\"command\":[\"x\"]}], "
       "\"policy\":{\n\"threshold\":\"@%\"}}"},
      {"config",
       "{\"workloads\":[{\"name\":\"a\",\"command\":[\"x\"]}], \"policy\":{\n\"budget\":\"@m\"}}"},
      {"config",
       "{\"workloads\":[{\"name\":\"a\",\"command\":[\"x\"]}], "
       "\"targets\":[{\"name\":\"t\",\"of\":\"a\",\n\"at_most\":@}]}",
       {"-1", "5e-324", "1e-160", "1e160", "1e308"}},
  };
  return places;
}

}  // namespace perf::test
