#include <bit>
#include <numeric>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedNvbench = "write the file with --json FILE or --jsonbin FILE";

/// The object of a list whose `key` is that text; an empty one where there is none.
const JsonObject& object_named(const JsonArray& list, std::string_view key, std::string_view text) {
  static const JsonObject kNone;
  for (const JsonValue& one : list) {
    const JsonObject* object = std::get_if<JsonObject>(&one.data);
    if (object != nullptr && text_field(*object, key) == text) {
      return *object;
    }
  }
  return kNone;
}

/// What a summary of a state says under that name; nullptr: nothing.
const JsonValue* datum_of(const Entry& state, const std::string& tag, std::string_view name) {
  const JsonObject& summary =
      object_named(field_or_empty<JsonArray>(state.object, "summaries"), "tag", tag);
  return find_value(object_named(field_or_empty<JsonArray>(summary, "data"), "name", name),
                    "value");
}

std::vector<double> float32_values(const std::string& bytes) {
  std::vector<double> values;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 4; byte-- > 0;) {
      bits = bits << 8 | static_cast<unsigned char>(bytes[at + byte]);
    }
    values.push_back(std::bit_cast<float>(bits));
  }
  return values;
}

class NvbenchReader {
 public:
  explicit NvbenchReader(const ReadBeside& read_beside) : read_beside_(read_beside) {
    list.remedy = "write the samples with --jsonbin";
  }

  void take(const std::string& benchmark, const Entry& state) {
    const std::string& of_state = state.text("name");
    const std::string name = benchmark + (of_state.empty() ? "" : "/" + of_state);
    list.begin(name);
    if (const JsonValue* device = state.find("device")) {
      devices.insert(as_integer(*device, "\"device\""));
    }
    if (is_true(state.object, "is_skipped")) {
      const std::string why = text_field(state.object, "skip_reason");
      if (why.starts_with("Unexpected error")) {  // runner.cxx: an exception
        list.set.failures.insert({{name}, why});
      } else {
        list.skip(name, why.empty() ? "no reason given" : why);
      }
      return;
    }
    take_times(state, name);
  }

  SeriesList list;
  std::set<std::int64_t> devices;  ///< that ran a state

 private:
  void take_times(const Entry& state, const std::string& name) {
    const bool on_gpu = datum_of(state, "nv/cold/time/gpu/mean", "value") != nullptr;
    const std::string kind = on_gpu ? "nv/cold" : "nv/cpu_only";
    const std::string times = kind + (on_gpu ? "/time/gpu/" : "/time/cpu/");
    JsonObject statistics;
    for (const std::string statistic : {"median", "mean"}) {
      if (const JsonValue* value = datum_of(state, times + statistic, "value")) {
        statistics.push_back(
            {statistic, value->offset, {written_number(*value, statistic), value->offset}});
      }
    }
    const std::vector<double> samples =
        statistics.empty()
            ? std::vector<double>()
            : samples_of(state, kind, std::get<double>(statistics.back().value.data));
    list.add_times(name, {}, samples, {JsonValue{std::move(statistics), state.offset}, "a state"});
    if (on_gpu) {
      show(state, "nv/cold/time/cpu/mean", {"cpu_time", "s", Better::lower}, name);
    }
    show(state, "nv/batch/time/gpu/mean", {"batch_time", "s", Better::lower}, name);
    show(state, kind + "/bw/global/bytes_per_second", {"bytes_per_second", "B/s", Better::higher},
         name);
    show(state, kind + "/bw/item_rate", {"elements_per_second", "1/s", Better::higher}, name);
    show(state, "nv/cold/sm_clock_rate/mean", {"sm_clock_rate", "1/s", Better::higher}, name);
  }

  /// Of the file that the state names; none where it is not the one that was written with it: the
  /// next run into a file of the same name replaces the samples of a copy of this one.
  std::vector<double> samples_of(const Entry& state, const std::string& kind, double mean) {
    const std::string tag = "nv/json/bin:" + kind + "/sample_times";
    const JsonValue *named = datum_of(state, tag, "filename"), *size = datum_of(state, tag, "size");
    if (!read_beside_ || named == nullptr || size == nullptr) {
      return {};
    }
    const std::string& file = as_text(*named, "\"filename\"");
    const std::optional<std::string> bytes = read_beside_(file);
    const std::vector<double> values = bytes ? float32_values(*bytes) : std::vector<double>();
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const auto count = static_cast<double>(values.size());
    constexpr double kRounding = 1e-6;  // relative, of a float32
    if (!bytes || count != written_number(*size, "\"size\"") ||
        !(std::abs(sum / count - mean) <= kRounding * mean)) {
      list.set.warnings.push_back(
          {WarningKind::files_passed_over,
           {{"files", 1}},
           {{"file", file},
            {"why", bytes ? "its samples are of another run" : "it could not be read"}}});
      return {};
    }
    return values;
  }

  void show(const Entry& state, const std::string& tag, const Metric& metric,
            const std::string& name) {
    if (const JsonValue* value = datum_of(state, tag, "value")) {
      list.add(name, {}, {metric}, written_number(*value, tag));
    }
  }

  const ReadBeside& read_beside_;
};

/// The devices that ran a state.
Environment nvbench_environment(const Entry& document, const std::set<std::int64_t>& used) {
  Environment environment;
  for (const JsonValue& one : field_or_empty<JsonArray>(document.object, "devices")) {
    const Entry device(one, "a device");
    if (used.contains(as_integer(device.at("id"), "\"id\""))) {
      std::string& gpus = environment.machine["gpus"];
      gpus += (gpus.empty() ? "" : ", ") + device.text("name");
    }
  }
  fingerprint_by("gpus", environment);
  return environment;
}

}  // namespace

/// Reads what NVBench writes under --json and --jsonbin
/// (https://github.com/NVIDIA/nvbench/blob/main/nvbench/json_printer.cu; the summaries are those of
/// nvbench/detail/measure_cold.cu and measure_cpu_only.cxx). A benchmark is its name and state,
/// `copy/Device=0 N=2^20`.
///
/// The cold times of the device become step_time, in seconds (of a benchmark without device those
/// of the processor): each sample of the file beside it, else the median, else the mean. Times of
/// the processor and of batches, rates and the clock are shown. A skipped state is skipped with its
/// reason; it failed where that is an exception. The machine is the devices that were used.
ImportedSession read_nvbench_results(std::string_view text, const std::string& filename,
                                     const ReadBeside& read_beside) {
  const auto read = [&](const JsonValue& root) {
    const Entry document(root, "the file");
    NvbenchReader reader(read_beside);
    for (const JsonValue& one : document.list("benchmarks")) {
      const Entry benchmark(one, "a benchmark");
      const std::string& name = as_name(benchmark.at("name"), "benchmark");
      // An empty list is null, as nlohmann writes it.
      for (const JsonValue& state : field_or_empty<JsonArray>(benchmark.object, "states")) {
        reader.take(name, {state, "a state"});
      }
    }
    reader.list.set.environment = nvbench_environment(document, reader.devices);
    return ImportedSession{{}, {}, reader.list.take()};
  };
  ImportedSession session = read_json_document(text, filename, read, kWantedNvbench);
  session.samples.source = filename;
  keep_usable(session.samples);
  return session;
}

Sessions read_nvbench(std::string_view text, const std::string& filename) {
  return {read_nvbench_results(text, filename, {})};
}

}  // namespace perf::formats
