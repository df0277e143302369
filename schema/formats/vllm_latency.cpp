#include "schema/formats/reading.h"

namespace perf::formats {

/// Reads what `vllm bench latency --output-json FILE` writes
/// (https://github.com/vllm-project/vllm/blob/main/vllm/benchmarks/latency.py). `latencies`, one a
/// batch of requests, become step_time of the benchmark `latency`, in seconds. The file names
/// neither the model nor the machine.
Sessions read_vllm_latency(std::string_view text, const std::string& filename) {
  const auto read = [](const JsonValue& root) {
    const Entry result(root, "the file");
    result.list("latencies");
    SeriesList list;
    list.add_all("latency", {}, step_times(),
                 numbers_or_nan(result.object, "latencies", "a latency"));
    if (list.set.series.empty()) {
      list.set.failures.insert({{"latency"}, "it has no latency"});
    }
    return one_session(list.take());
  };
  return read_json_document(text, filename, read,
                            "write the file with vllm bench latency --output-json FILE");
}

}  // namespace perf::formats
