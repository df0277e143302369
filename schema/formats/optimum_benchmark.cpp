#include <array>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedOptimum =
    "pass benchmark_report.json, or benchmark.json, of optimum-benchmark";

/// A target that repeats another one where that is there: generate is prefill and decode, decode
/// all of per_token, overall warmup and train.
struct RepeatedTarget {
  std::string_view name, other;
};
constexpr std::array<RepeatedTarget, 5> kRepeated{{{"generate", "decode"},
                                                   {"per_token", "decode"},
                                                   {"per_step", "call"},
                                                   {"overall", "train"},
                                                   {"warmup", "train"}}};

/// trackers/latency.py: `throughput` is a volume over the mean.
void take_latency(const std::string& target, const Entry& latency, bool judge, SeriesList& list) {
  const JsonValue& unit = latency.at("unit");
  const std::optional<double> seconds = seconds_in(as_text(unit, "\"unit\""));
  if (!seconds) {
    throw JsonFault{unit.offset, "unknown unit of time", "known: s"};
  }
  const Meaning shown{{"latency", "s", Better::lower}, *seconds};
  list.add_all(target, {}, judge ? step_times(*seconds) : shown,
               numbers_or_nan(latency.object, "values", "a latency"));
  if (latency.list("values").empty()) {
    list.set.failures.insert({{target}, "it has no latency"});
  }
}

/// trackers/memory.py: of the allocator's peaks that of what was allocated is judged, else that of
/// the process.
void take_memory(const std::string& target, const Entry& memory, bool judge, SeriesList& list) {
  const JsonValue& unit = memory.at("unit");
  const std::optional<double> bytes = bytes_in(as_text(unit, "\"unit\""));
  if (!bytes) {
    throw JsonFault{unit.offset, "unknown unit of size", "known: MB"};
  }
  for (const std::string name :
       {"max_allocated", "max_ram", "max_reserved", "max_process_vram", "max_global_vram"}) {
    if (const JsonValue* value = memory.find(name)) {
      const bool is_judged = judge && (name == "max_allocated" || name == "max_ram");
      judge = judge && !is_judged;
      list.add_positive(target, {}, {{name, "B", Better::lower}, *bytes, is_judged},
                        number_or_nan(*value, name));
    }
  }
}

void take_target(const std::string& name, const Entry& target, bool judge, SeriesList& list) {
  if (const JsonValue* latency = target.find("latency")) {
    take_latency(name, {*latency, "\"latency\""}, judge, list);
  }
  if (const JsonValue* memory = target.find("memory")) {
    take_memory(name, {*memory, "\"memory\""}, judge, list);
  }
  const auto show = [&](std::string_view member, std::string_view value, Better better) {
    if (const JsonValue* found = target.find(member)) {
      const Entry entry(*found, member);
      list.add(name, {}, {{std::string(member), entry.text("unit"), better}},
               number_or_nan(entry.at(value), value));
    }
  };
  show("throughput", "value", Better::higher);
  show("energy", "total", Better::lower);
}

}  // namespace

/// Reads the benchmark_report.json of optimum-benchmark, and its benchmark.json, which has the
/// config too (https://github.com/huggingface/optimum-benchmark/blob/main/optimum_benchmark/
/// benchmark/report.py; trackers/). A benchmark is a target: load_model, prefill, decode, forward,
/// train.
///
/// The values of `latency` become step_time, in seconds; memory is judged as max_allocated, else
/// max_ram. Targets that repeat another one are shown, as are throughput, the inverse of the mean
/// latency, and energy. A target is null where it was not measured. A report names neither the
/// machine nor the model.
Sessions read_optimum_benchmark(std::string_view text, const std::string& filename) {
  const auto read = [](const JsonValue& root) {
    const JsonValue* report = find_value(as_object(root, "the file"), "report");
    const JsonObject& targets = as_object(report == nullptr ? root : *report, "\"report\"");
    SeriesList list;
    for (const JsonMember& target : targets) {
      const bool repeats = std::ranges::any_of(kRepeated, [&](const RepeatedTarget& one) {
        return one.name == target.name && find_member(targets, one.other) != nullptr;
      });
      take_target(target.name, {target.value, "a target"}, !repeats, list);
    }
    return one_session(list.take(root.offset, kWantedOptimum));
  };
  return read_json_document(text, filename, read, kWantedOptimum);
}

}  // namespace perf::formats
