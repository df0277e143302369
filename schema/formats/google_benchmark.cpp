#include "schema/formats/readers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/series_list.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedOutput =
    "write the file with --benchmark_format=json or --benchmark_out=FILE";

/// Numbers of a repetition that are no measurements.
constexpr std::array<std::string_view, 8> kNoMetrics{"family_index", "per_family_instance_index",
                                                     "repetitions",  "repetition_index",
                                                     "threads",      "iterations",
                                                     "real_time",    "cpu_time"};

/// What the library itself puts beside the times.
struct KnownCounter {
  std::string_view name;
  std::string_view unit;
  Better better;
  bool judge;
};
constexpr std::array<KnownCounter, 4> kKnownCounters{{
    {"items_per_second", "1/s", Better::higher, false},
    {"bytes_per_second", "B/s", Better::higher, false},
    {"allocs_per_iter", "1", Better::lower, true},
    {"max_bytes_used", "B", Better::lower, true},
}};

/// Facts of the context that make timings incomparable.
constexpr std::array<std::string_view, 2> kGoogleMachineKeys{"num_cpus", "library_build_type"};

/// "Data 1 49152, Unified 2 1048576": type, level and bytes of every cache.
std::string caches_of(const JsonValue& value) {
  std::string text;
  for (const JsonValue& item : as_array(value, "\"caches\"")) {
    const JsonObject& cache = as_object(item, "a cache");
    std::string one;
    for (const std::string_view key : {"type", "level", "size"}) {
      const JsonMember* member = find_member(cache, key);
      if (member != nullptr) {
        one += (one.empty() ? "" : " ") + fact_text(member->value).value_or("");
      }
    }
    text += (text.empty() ? "" : ", ") + one;
  }
  return text;
}

Environment read_context(const JsonObject& context) {
  Environment environment;
  for (const JsonMember& member : context) {
    const bool of_machine = std::find(kGoogleMachineKeys.begin(), kGoogleMachineKeys.end(),
                                      member.name) != kGoogleMachineKeys.end();
    if (member.name == "caches") {
      environment.machine[member.name] = caches_of(member.value);
    } else {
      add_fact(context, member.name, member.name,
               of_machine ? environment.machine : environment.facts);
    }
  }
  const auto host = environment.facts.find("host_name");
  if (host != environment.facts.end() && !environment.machine.empty()) {
    environment.fingerprint = "host_name=" + host->second + "\n" + facts_text(environment.machine);
  }
  return environment;
}

double seconds_per(const JsonObject& run, std::size_t offset) {
  const JsonValue& value = required_field(run, offset, "time_unit", "a repetition");
  const std::string& unit = as_text(value, "\"time_unit\"");
  const std::optional<double> seconds = seconds_in(unit);
  if (!seconds || unit.size() > 2) {
    throw JsonFault{value.offset, "the time unit " + in_quotes(unit) + " is not known",
                    "known: ns, us, ms, s"};
  }
  return *seconds;
}

const std::string& name_of(const JsonObject& run, std::size_t offset) {
  const JsonValue* given = find_value(run, "run_name");  // versions before 1.5 have the other alone
  const JsonValue& value =
      given == nullptr ? required_field(run, offset, "name", "a benchmark") : *given;
  return as_name(value, "benchmark");
}

bool is_aggregate(const JsonObject& run) {
  return text_field(run, "run_type") == "aggregate" ||
         find_member(run, "aggregate_name") != nullptr || find_member(run, "big_o") != nullptr ||
         find_member(run, "rms") != nullptr;
}

/// What a repetition says in the text of that name; its own name where it says nothing.
std::string message_of(const JsonObject& run, const std::string& name) {
  const std::string text = text_field(run, name);
  return text.empty() ? name : text;
}

class GoogleReader {
 public:
  void take(const JsonValue& entry) {
    const JsonObject& run = as_object(entry, "a benchmark");
    if (is_aggregate(run)) {
      return;
    }
    const std::string& name = name_of(run, entry.offset);
    if (is_true(run, "error_occurred")) {
      set.failures.emplace(name, message_of(run, "error_message"));
      return;
    }
    if (is_true(run, "skipped")) {
      set.skipped.emplace(name, message_of(run, "skip_message"));
      set.warnings.push_back(
          {WarningKind::benchmark_skipped,
           {},
           {{"benchmark", in_quotes(name)}, {"why", in_quotes(message_of(run, "skip_message"))}}});
      return;
    }
    const double unit = seconds_per(run, entry.offset);
    const JsonValue& real_time = required_field(run, entry.offset, "real_time", "a repetition");
    series_.add(name, {}, step_times(unit), measurable_amount(real_time, "\"real_time\""));
    if (const JsonValue* cpu_time = find_value(run, "cpu_time")) {
      series_.add(name, {}, {{"cpu_time", "s", Better::lower}, unit},
                  measurable_amount(*cpu_time, "\"cpu_time\""));
    }
    take_counters(run, name);
    measured_.insert(name);
  }

  SampleSet finish() {
    for (const auto& [name, reason] : set.failures) {
      if (measured_.count(name) > 0) {
        set.warnings.push_back({WarningKind::repetitions_left_out,
                                {},
                                {{"benchmark", in_quotes(name)}, {"why", in_quotes(reason)}}});
      }
    }
    for (const std::string& name : measured_) {
      set.failures.erase(name);
      set.skipped.erase(name);
    }
    set.series = series_.take();
    return std::move(set);
  }

  SampleSet set;

 private:
  void take_counters(const JsonObject& run, const std::string& name) {
    for (const JsonMember& member : run) {
      const bool no_metric =
          std::find(kNoMetrics.begin(), kNoMetrics.end(), member.name) != kNoMetrics.end();
      if (!is_number(member.value) || no_metric || member.name == kStepTime.name) {
        continue;
      }
      const auto known =
          std::find_if(kKnownCounters.begin(), kKnownCounters.end(),
                       [&](const KnownCounter& counter) { return counter.name == member.name; });
      Meaning meaning{{member.name, "1", Better::lower}};
      if (known != kKnownCounters.end()) {
        meaning = {{member.name, std::string(known->unit), known->better}, 1, known->judge};
      }
      series_.add(name, {}, meaning,
                  measurable_number(member.value, "the counter " + in_quotes(member.name)));
    }
  }

  SeriesList series_;
  std::set<std::string> measured_;
};

SampleSet read_root(const JsonValue& root) {
  const JsonObject& document = as_object(root, "the file");
  const JsonValue* benchmarks = find_value(document, "benchmarks");
  if (benchmarks == nullptr) {
    throw JsonFault{root.offset, "no \"benchmarks\"", kWantedOutput};
  }
  GoogleReader reader;
  if (const JsonValue* context = find_value(document, "context")) {
    reader.set.environment = read_context(as_object(*context, "\"context\""));
  }
  for (const JsonValue& entry : as_array(*benchmarks, "\"benchmarks\"")) {
    reader.take(entry);
  }
  SampleSet set = reader.finish();
  if (set.series.empty() && set.failures.empty() && set.warnings.empty()) {
    throw JsonFault{benchmarks->offset, "no repetition of any benchmark",
                    "aggregates alone hold no samples: run it without "
                    "--benchmark_report_aggregates_only"};
  }
  return set;
}

}  // namespace

SampleSet read_google_benchmark(std::string_view text, const std::string& filename) {
  const bool is_console = !trimmed(text, " \t\r\n").starts_with('{');
  SampleSet set = read_json_document(text, filename, read_root, is_console ? kWantedOutput : "");
  set.source = filename;
  return set;
}

}  // namespace perf::formats
