#include <array>

#include "schema/formats/reading.h"
#include "schema/formats/surroundings.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedRecords =
    "pass records with \"benchmark\", \"model\" and \"metric\", as PyTorch's benchmarks write them";

/// Whether more of a metric is better, as PyTorch's dashboard has it (test-infra,
/// torchci/lib/benchmark/llms/common.ts, IS_INCREASING_METRIC_VALUE_GOOD), without those that
/// repeat others there; and what the benchmarks of compilation count.
struct KnownMetric {
  std::string_view name;
  Better better;
};
constexpr std::array<KnownMetric, 17> kKnownMetrics{{
    {"memory_bandwidth(GB/s)", Better::higher},
    {"token_per_sec", Better::higher},
    {"tokens_per_second", Better::higher},
    {"requests_per_second", Better::higher},
    {"flops_utilization", Better::higher},
    {"speedup", Better::higher},
    {"Speedup", Better::higher},
    {"triton_speedup", Better::higher},
    {"torch_compile_speedup", Better::higher},
    {"helion_speedup", Better::higher},
    {"avg_inference_latency(ms)", Better::lower},
    {"model_load_time(ms)", Better::lower},
    {"peak_inference_mem_usage(mb)", Better::lower},
    {"peak_load_mem_usuage(mb)", Better::lower},
    {"median_ttft_ms", Better::lower},
    {"median_tpot_ms", Better::lower},
    {"compile_time_instruction_count", Better::lower},
}};

/// Its own, else the one in its name: "latency(ms)", "median_ttft_ms".
std::string unit_of_metric(const Entry& metric, const std::string& name) {
  if (const std::string given = text_field(metric.object, "unit"); !given.empty()) {
    return given;
  }
  const std::size_t open = name.rfind('(');
  if (name.ends_with(')') && open != name.npos) {
    return name.substr(open + 1, name.size() - open - 2);
  }
  return name.ends_with("_ms") ? "ms" : name == "latency" ? "s" : "1";
}

/// Unknown metrics have no direction, but times and sizes that have a unit of their own do.
Meaning meaning_of_metric(const Entry& metric, const std::string& name) {
  const std::string unit = unit_of_metric(metric, name);
  const std::optional<double> seconds = seconds_in(unit);
  if (name == "latency" && seconds) {
    return step_times(*seconds);
  }
  const auto known = std::ranges::find(kKnownMetrics, name, &KnownMetric::name);
  const bool is_amount =
      find_member(metric.object, "unit") != nullptr && (seconds || bytes_in(unit));
  return {{name, unit, known == kKnownMetrics.end() ? Better::lower : known->better},
          1,
          known != kKnownMetrics.end() || is_amount};
}

/// What sets records of one benchmark and model apart; other things that they say are notes.
Params params_of_record(const JsonObject& benchmark, const JsonObject& model) {
  Params params;
  const auto take = [&](const JsonObject& object, const std::string& name) {
    const JsonValue* value = optional_field(object, name);
    const std::optional<Param> param = value == nullptr ? std::nullopt : param_of(*value);
    if (param && *param != Param(std::string())) {
      params[name] = *param;
    }
  };
  take(benchmark, "mode");
  take(benchmark, "dtype");
  take(model, "backend");
  for (const std::string name : {"device", "input_config", "is_dynamic", "use_compile"}) {
    take(field_or_empty<JsonObject>(benchmark, "extra_info"), name);
  }
  return params;
}

/// What the record, or the upload, says of the machine: its first runner, or the device.
Environment environment_of_record(const JsonObject& record, const JsonObject& benchmark) {
  Environment environment;
  const JsonArray& runners = field_or_empty<JsonArray>(record, "runners");
  const JsonObject* runner =
      runners.empty() ? nullptr : std::get_if<JsonObject>(&runners.front().data);
  if (runner != nullptr) {
    add_facts(*runner, {"cpu_info", "cpu_count", "gpu_info", "gpu_count"}, environment.machine);
  }
  add_fact(field_or_empty<JsonObject>(benchmark, "extra_info"), "arch", "arch",
           environment.machine);
  return environment;
}

class RecordReader {
 public:
  void take(const Entry& record) {
    const JsonObject& benchmark = field_or_empty<JsonObject>(record.object, "benchmark");
    const JsonObject& model = field_or_empty<JsonObject>(record.object, "model");
    const Entry metric(record.at("metric"), "\"metric\"");
    const std::string title = text_field(benchmark, "name"), of = text_field(model, "name");
    const std::string name = title + (title.empty() || of.empty() ? "" : "/") + of;
    if (name.empty()) {
      throw JsonFault{record.offset, "the record names neither a benchmark nor a model"};
    }
    const Params params = params_of_record(benchmark, model);
    const Meaning meaning = meaning_of_metric(metric, as_name(metric.at("name"), "metric"));
    if (!seen_.insert({name, params, meaning.metric.name}).second) {
      list.refuse(name, params);
    }
    if (metric.list("benchmark_values").empty()) {
      list.leave_out(name, meaning.metric, 1, "its list is empty");
    }
    for (const JsonValue& value : metric.list("benchmark_values")) {
      list.add_positive(name, params, meaning, written_number(value, "a value"));
    }
    if (seen_.size() == 1) {
      list.set.environment = environment_of_record(record.object, benchmark);
      commit = text_field(record.object, "head_sha");
    }
  }

  SeriesList list;
  std::string commit;

 private:
  std::set<std::tuple<std::string, Params, std::string>> seen_;
};

}  // namespace

/// Reads the records of PyTorch's benchmark database, a list or JSON Lines
/// (https://github.com/pytorch/test-infra/blob/main/clickhouse_db_schema/
/// benchmark.oss_ci_benchmark_v3/schema.sql; written by pytorch/benchmarks/operator_benchmark/
/// benchmark_core.py, vllm/benchmarks/lib/utils.py, ...). A benchmark is the benchmark and the
/// model, with mode, dtype, backend, device and the like; each of `benchmark_values` is a value.
///
/// `latency` becomes step_time (without a unit in seconds, as the dashboard shows it). Metrics that
/// the dashboard gives a direction are judged, as are those whose record has a unit of time or
/// size. Values of 0 and below stand for what failed or was not measured.
Sessions read_pytorch_benchmark(std::string_view text, const std::string& filename) {
  RecordReader reader;
  for_each_record(text, filename, kWantedRecords, [&](const JsonValue& value) {
    reader.take({value, "a record"});
  });
  return one_session(reader.list.take(), reader.commit);
}

}  // namespace perf::formats
