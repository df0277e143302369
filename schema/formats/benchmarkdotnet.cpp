#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedReport = "write the file with --exporters json ([JsonExporter.Full])";
constexpr double kDotnetTick = 1e-9;

/// A processor's name without its clock as measured, which ProcessorBrandStringHelper.cs adds:
/// "(Max: 2.79GHz)", or "2.44GHz" to a name that has no clock, as those of AMD.
std::string without_clock(std::string name) {
  if (const std::size_t max = name.find(" (Max: "); max != name.npos) {
    name.erase(max, std::min(name.find(')', max), name.size() - 1) + 1 - max);
  }
  if (name.starts_with("AMD ") && name.ends_with("GHz")) {
    name.erase(name.find_last_of(' '));
  }
  return name;
}

Environment host_environment(const JsonObject& info) {
  Environment environment;
  // The first make timings incomparable, updates change the others.
  add_facts(info,
            {"PhysicalProcessorCount", "PhysicalCoreCount", "LogicalCoreCount", "Architecture"},
            environment.machine);
  add_facts(info, {"OsVersion", "RuntimeVersion", "DotNetCliVersion", "BenchmarkDotNetVersion"},
            environment.facts);
  const JsonObject* lazy = field_as<JsonObject>(info, "ProcessorName");  // of versions before 0.10
  const std::string processor =
      lazy == nullptr ? text_field(info, "ProcessorName") : text_field(*lazy, "Value");
  if (!processor.empty() && !processor.starts_with("Unknown")) {  // as in some containers
    environment.machine["ProcessorName"] = without_clock(processor);
  }
  fingerprint_by("ProcessorName", environment);
  return environment;
}

/// Its job, "Job-ABCDEF(Runtime=.NET 8.0)", from "Kit.Load: JOB [n=1024]". The id is random
/// (BenchmarkDotNet/Jobs/JobIdGenerator.cs): the settings tell jobs apart.
std::string job_of(const JsonObject& benchmark) {
  const std::string info = text_field(benchmark, "DisplayInfo");
  const std::size_t begin = info.find(": ");
  const std::string job =
      begin == info.npos ? std::string() : info.substr(begin + 2, info.rfind(" [") - begin - 2);
  return job.starts_with("Job-") ? job.substr(std::min(job.find('('), job.size())) : job;
}

/// ns per operation of the iterations that count.
std::vector<double> measured_results(const JsonArray& measurements) {
  std::vector<double> values;
  for (const JsonValue& one : measurements) {
    const Entry measurement(one, "a measurement");
    const std::string mode = text_field(measurement.object, "IterationMode");
    const std::string stage = text_field(measurement.object, "IterationStage");
    if (mode == "Result" || (mode == "Workload" && stage == "Result")) {
      values.push_back(number_or_nan(measurement.at("Nanoseconds"), "\"Nanoseconds\"") /
                       measurable_amount(measurement.at("Operations"), "\"Operations\""));
    }
  }
  return values;
}

void take_times(const std::string& name, const Params& job, const Entry& benchmark,
                SeriesList& list) {
  const JsonValue* statistics = benchmark.find("Statistics");
  const JsonObject stats =
      statistics == nullptr ? JsonObject() : as_object(*statistics, "\"Statistics\"");
  std::vector<double> values = numbers_or_nan(stats, "OriginalValues", "a value");
  const JsonArray* measurements = field_as<JsonArray>(benchmark.object, "Measurements");
  if (values.empty() && statistics != nullptr && measurements != nullptr) {
    values = measured_results(*measurements);
  }
  const JsonValue* median = find_value(stats, "Median");
  if (values.empty() && median != nullptr) {
    values.push_back(number_or_nan(*median, "\"Median\""));
    list.count_statistic("median");
  }
  if (values.empty()) {
    list.set.failures.insert({{name, job}, "it has no result"});
    return;
  }
  list.add_all(name, job, step_times(kDotnetTick), values);
  const JsonValue* memory = benchmark.find("Memory");
  const JsonValue* bytes = memory == nullptr ? nullptr
                                             : optional_field(as_object(*memory, "\"Memory\""),
                                                              "BytesAllocatedPerOperation");
  if (bytes != nullptr) {
    list.add(name, job, *go_memory("B/op"), number_or_nan(*bytes, "allocated bytes"));
  }
}

}  // namespace

/// Reads what BenchmarkDotNet's JSON exporters write, `*-report-full.json`, `-report-brief.json`
/// and the like
/// (https://github.com/dotnet/BenchmarkDotNet/blob/master/src/BenchmarkDotNet/Exporters/
/// Json/JsonExporterBase.cs, version 0.15). A benchmark is its FullName, which has its parameters,
/// and its job.
///
/// Times are nanoseconds per operation and become step_time, in seconds: Statistics.OriginalValues,
/// else the results among Measurements, else the median. BytesAllocatedPerOperation becomes
/// bytes_per_op, judged. A benchmark whose Statistics are null failed.
///
/// The machine is the processor, its cores and architecture; its fingerprint needs the name of the
/// processor. The file does not name the commit.
Sessions read_benchmarkdotnet(std::string_view text, const std::string& filename) {
  const auto read = [](const JsonValue& root) {
    const Entry document(root, "the file");
    const JsonArray& benchmarks = document.list("Benchmarks");
    SeriesList list;
    list.remedy = "export all values: --exporters json";
    for (const JsonValue& one : benchmarks) {
      const Entry benchmark(one, "a benchmark");
      const std::string name = as_name(benchmark.at("FullName"), "benchmark");
      const std::string job = setting_text(job_of(benchmark.object));
      const Params params = job.empty() ? Params{} : Params{{kJob, job}};
      list.begin(name, params);
      take_times(name, params, benchmark, list);
    }
    if (const JsonObject* info = field_as<JsonObject>(document.object, "HostEnvironmentInfo")) {
      list.set.environment = host_environment(*info);
    }
    return one_session(list.take());
  };
  return read_json_document(text, filename, read, kWantedReport);
}

}  // namespace perf::formats
