#include "schema/formats/google_benchmark.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <variant>

#include "schema/error.h"
#include "schema/formats/facts_text.h"
#include "schema/formats/json_reader.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/masked_numbers.h"
#include "schema/formats/series_list.h"
#include "schema/formats/text_position.h"

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

const std::string* text_member(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr ? nullptr : std::get_if<std::string>(&member->value.data);
}

bool is_true(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  const bool* truth = member == nullptr ? nullptr : std::get_if<bool>(&member->value.data);
  return truth != nullptr && *truth;
}

std::optional<double> number_in(const JsonValue& value) {
  if (const double* number = std::get_if<double>(&value.data)) {
    return *number;
  }
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value.data)) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
}

/// A value of the context as text: as written, but for the space.
std::string fact_of(const JsonValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value.data)) {
    return *text;
  }
  if (const bool* truth = std::get_if<bool>(&value.data)) {
    return *truth ? "true" : "false";
  }
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value.data)) {
    return std::to_string(*integer);
  }
  return {};
}

/// "Data 1 49152, Unified 2 1048576": type, level and bytes of every cache.
std::string caches_of(const JsonValue& value) {
  std::string text;
  for (const JsonValue& item : as_array(value, "\"caches\"")) {
    const JsonObject& cache = as_object(item, "a cache");
    std::string one;
    for (const std::string_view key : {"type", "level", "size"}) {
      const JsonMember* member = find_member(cache, key);
      if (member != nullptr) {
        one += (one.empty() ? "" : " ") + fact_of(member->value);
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
    } else if (const std::string fact = fact_of(member.value); !fact.empty()) {
      (of_machine ? environment.machine : environment.facts)[member.name] = fact;
    }
  }
  const auto host = environment.facts.find("host_name");
  if (host != environment.facts.end() && !environment.machine.empty()) {
    environment.fingerprint = "host_name=" + host->second + "\n" + facts_text(environment.machine);
  }
  return environment;
}

double seconds_per(const JsonObject& run, std::size_t offset) {
  const JsonMember* member = find_member(run, "time_unit");
  if (member == nullptr) {
    throw JsonFault{offset, "a repetition without \"time_unit\""};
  }
  const std::string& unit = as_text(member->value, "\"time_unit\"");
  if (unit == "ns") {
    return 1e-9;
  }
  if (unit == "us") {
    return 1e-6;
  }
  if (unit == "ms") {
    return 1e-3;
  }
  if (unit == "s") {
    return 1;
  }
  throw JsonFault{member->value.offset, "the time unit " + in_quotes(unit) + " is not known",
                  "known: ns, us, ms, s"};
}

double read_time(const JsonObject& run, std::string_view name, std::size_t offset) {
  const JsonMember* member = find_member(run, name);
  if (member == nullptr) {
    throw JsonFault{offset, "a repetition without " + in_quotes(name)};
  }
  const double time = as_number(member->value, in_quotes(name));
  if (time < 0 || !is_measurable(time)) {
    throw JsonFault{member->value.offset,
                    in_quotes(name) + " is negative, or of no measurable magnitude"};
  }
  return time;
}

const std::string& name_of(const JsonObject& run, std::size_t offset) {
  const JsonMember* member = find_member(run, "run_name");
  if (member == nullptr) {
    member = find_member(run, "name");  // versions before 1.5
  }
  if (member == nullptr) {
    throw JsonFault{offset, "a benchmark without a name"};
  }
  const std::string& name = as_text(member->value, "the name of a benchmark");
  if (name.empty()) {
    throw JsonFault{member->value.offset, "a benchmark whose name is empty"};
  }
  return name;
}

bool is_aggregate(const JsonObject& run) {
  const std::string* type = text_member(run, "run_type");
  return (type != nullptr && *type == "aggregate") ||
         find_member(run, "aggregate_name") != nullptr || find_member(run, "big_o") != nullptr ||
         find_member(run, "rms") != nullptr;
}

/// What a repetition says in the text of that name; its own name where it says nothing.
std::string message_of(const JsonObject& run, const std::string& name) {
  const std::string* text = text_member(run, name);
  return text == nullptr || text->empty() ? name : *text;
}

class GoogleReader {
 public:
  void take(const JsonValue& entry);
  SampleSet finish();
  SampleSet set;

 private:
  void take_counters(const JsonObject& run, const std::string& name);

  SeriesList series_;
  std::set<std::string> measured_;
};

void GoogleReader::take(const JsonValue& entry) {
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
    set.warnings.push_back(in_quotes(name) +
                           " was skipped: " + in_quotes(message_of(run, "skip_message")));
    return;
  }
  const double unit = seconds_per(run, entry.offset);
  series_.of(name, {}, kStepTime, true)
      .values.push_back(read_time(run, "real_time", entry.offset) * unit);
  if (find_member(run, "cpu_time") != nullptr) {
    series_.of(name, {}, {"cpu_time", "s", Better::lower}, false)
        .values.push_back(read_time(run, "cpu_time", entry.offset) * unit);
  }
  take_counters(run, name);
  measured_.insert(name);
}

void GoogleReader::take_counters(const JsonObject& run, const std::string& name) {
  for (const JsonMember& member : run) {
    const std::optional<double> value = number_in(member.value);
    const bool no_metric =
        std::find(kNoMetrics.begin(), kNoMetrics.end(), member.name) != kNoMetrics.end();
    if (!value || no_metric || member.name == kStepTime.name) {
      continue;
    }
    if (!is_measurable(*value)) {
      throw JsonFault{member.value.offset,
                      "the counter " + in_quotes(member.name) + " is of no measurable magnitude"};
    }
    const auto known =
        std::find_if(kKnownCounters.begin(), kKnownCounters.end(),
                     [&](const KnownCounter& counter) { return counter.name == member.name; });
    const bool is_known = known != kKnownCounters.end();
    const Metric metric{member.name, is_known ? std::string(known->unit) : "1",
                        is_known ? known->better : Better::lower};
    series_.of(name, {}, metric, is_known && known->judge).values.push_back(*value);
  }
}

SampleSet GoogleReader::finish() {
  for (const auto& [name, reason] : set.failures) {
    if (measured_.count(name) > 0) {
      set.warnings.push_back("some repetitions of " + in_quotes(name) +
                             " were left out: " + in_quotes(reason));
    }
  }
  for (const std::string& name : measured_) {
    set.failures.erase(name);
  }
  set.series = series_.take();
  return std::move(set);
}

SampleSet read_document(std::string_view text) {
  const JsonValue root = read_json(text);
  const JsonObject& document = as_object(root, "the file");
  const JsonMember* benchmarks = find_member(document, "benchmarks");
  if (benchmarks == nullptr) {
    throw JsonFault{root.offset, "no \"benchmarks\"", kWantedOutput};
  }
  GoogleReader reader;
  if (const JsonMember* context = find_member(document, "context")) {
    reader.set.environment = read_context(as_object(context->value, "\"context\""));
  }
  for (const JsonValue& entry : as_array(benchmarks->value, "\"benchmarks\"")) {
    reader.take(entry);
  }
  SampleSet set = reader.finish();
  if (set.series.empty() && set.failures.empty() && set.warnings.empty()) {
    throw JsonFault{benchmarks->value.offset, "no repetition of any benchmark",
                    "aggregates alone hold no samples: run it without "
                    "--benchmark_report_aggregates_only"};
  }
  return set;
}

}  // namespace

SampleSet read_google_benchmark(std::string_view text, const std::string& filename) {
  try {
    SampleSet set = read_document(mask_non_numbers(text));
    set.source = filename;
    return set;
  } catch (const JsonFault& fault) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool is_console = first == std::string_view::npos || text[first] != '{';
    throw UsageError(fault.what, place_of(text, fault.offset, filename),
                     is_console ? kWantedOutput : fault.hint);
  } catch (const TooManySeries& fault) {
    throw UsageError(fault.what, filename, fault.hint);
  }
}

}  // namespace perf::formats
