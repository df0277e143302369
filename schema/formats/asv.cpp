#include <limits>

#include "schema/formats/reading.h"
#include "schema/text/utc_time.h"

namespace perf::formats {
namespace {

constexpr double kVersion = 2;
using Known = std::map<std::string, AsvBenchmark>;

/// The columns of one benchmark; the last ones are left out where they are null.
struct Row {
  const JsonArray& cells;
  const std::map<std::string, std::size_t>& columns;

  const JsonValue* cell(const std::string& column) const {
    const auto found = columns.find(column);
    const bool absent =
        found == columns.end() || found->second >= cells.size() || cells[found->second].is_null();
    return absent ? nullptr : &cells[found->second];
  }
};

Meaning asv_meaning(const AsvBenchmark& benchmark) {
  switch (benchmark.type) {
    case AsvType::time:
      return step_times(seconds_in(benchmark.unit).value_or(1));
    case AsvType::memory:
      return {{"object_size", "B", Better::lower}, 1, true};
    case AsvType::peak_memory:
      return {{"peak_memory", "B", Better::lower}, 1, true};
    case AsvType::track:
      break;
  }
  return {{"value", benchmark.unit.empty() ? "1" : benchmark.unit, Better::lower}, 1, false};
}

/// What identifies a combination of parameters, and what its benchmark is.
struct Combination {
  std::string name;
  Params params;
  Meaning meaning;
  std::string version;
};

/// The n-th of a list, where it has one that is not null.
const JsonValue* item_of(const JsonValue* list, std::size_t n, std::string_view subject) {
  if (list == nullptr) {
    return nullptr;
  }
  const JsonArray& items = as_array(*list, subject);
  return n < items.size() && !items[n].is_null() ? &items[n] : nullptr;
}

class AsvReader {
 public:
  AsvReader(std::map<std::string, std::size_t> columns, const Known& known)
      : columns_(std::move(columns)), known_(known) {}

  void take(const JsonMember& entry) {
    const Row row{as_array(entry.value, "a result"), columns_};
    const JsonValue* results = row.cell("result");
    const std::size_t count = results == nullptr ? 0 : as_array(*results, "\"result\"").size();
    const auto found = known_.find(entry.name);
    const AsvBenchmark benchmark =
        found == known_.end() ? AsvBenchmark{asv_type_of(entry.name), {}, {}} : found->second;
    if (const JsonValue* started = row.cell("started_at")) {
      started_at = std::min(started_at, as_number(*started, "\"started_at\""));
    }
    const auto combinations =
        asv_combinations(row.cell("params"), results == nullptr ? kMostSeries : count);
    if (results != nullptr && combinations.size() != count) {
      throw JsonFault{results->offset, std::to_string(count) + " results for " +
                                           std::to_string(combinations.size()) +
                                           " combinations of parameters"};
    }
    if (entry.name.size() * combinations.size() > kMostNameBytes) {
      refuse_many_series();
    }
    const JsonValue* version = row.cell("version");
    for (std::size_t i = 0; i < combinations.size(); ++i) {
      const Combination one{asv_display_name(entry.name, combinations[i]),
                            asv_params(combinations[i], benchmark.param_names),
                            asv_meaning(benchmark),
                            version == nullptr ? "" : fact_text(*version).value_or("")};
      if (const JsonValue* result = item_of(results, i, "\"result\"")) {
        take_result(one, *result, item_of(row.cell("samples"), i, "\"samples\""));
      } else {
        list_.set.failures.insert(
            {{one.name, one.params},
             results == nullptr ? "asv has no result for any of its parameters: was it built?"
                                : "asv has no result"});
      }
    }
  }

  SampleSet finish() {
    if (skipped_ > 0) {
      list_.set.warnings.push_back({WarningKind::benchmarks_skipped, {{"benchmarks", skipped_}}});
    }
    return list_.take();
  }

  double started_at = std::numeric_limits<double>::infinity();  ///< ms since 1970; the earliest

 private:
  /// asv writes NaN for a skipped benchmark.
  void take_result(const Combination& one, const JsonValue& result, const JsonValue* samples) {
    const double median = number_or_nan(result, "a result");
    if (std::isnan(median)) {
      ++skipped_;
      list_.set.skipped.insert({{one.name, one.params}, "its result is NaN"});
      return;
    }
    SampleSeries& series = list_.of(one.name, one.params, one.meaning);
    series.version = one.version;
    if (samples != nullptr) {
      for (const JsonValue& sample : as_array(*samples, "the samples of a result")) {
        series.values.push_back(number_or_nan(sample, "a sample") * one.meaning.factor);
      }
    }
    if (series.values.empty()) {
      series.values.push_back(median * one.meaning.factor);
    }
  }

  std::map<std::string, std::size_t> columns_;
  const Known& known_;
  SeriesList list_;
  std::size_t skipped_ = 0;
};

std::map<std::string, std::size_t> read_columns(const JsonValue& value) {
  std::map<std::string, std::size_t> columns;
  for (const JsonValue& column : as_array(value, "\"result_columns\"")) {
    columns.emplace(as_text(column, "a column"), columns.size());
  }
  if (columns.count("result") == 0) {
    throw JsonFault{value.offset, "no column \"result\""};
  }
  return columns;
}

/// A fact of the machine as far as it does not change by itself: of the system without its release,
/// of Python without its patch release, of memory nothing (asv writes the KiB of /proc/meminfo).
std::string lasting_fact(const std::string& name, const std::string& text) {
  if (name == "os") {
    return text.substr(0, text.find(' '));
  }
  return name == "ram" ? "" : name == "python" ? major_minor(text) : text;
}

Environment read_environment(const JsonObject& document) {
  std::map<std::string, std::string> facts;
  add_fact(document, "python", "python", facts);
  if (const JsonValue* params = optional_field(document, "params")) {
    for (const JsonMember& member : as_object(*params, "\"params\"")) {
      add_fact(as_object(*params, "\"params\""), member.name, member.name, facts);
    }
  }
  Environment environment;
  for (const auto& [name, text] : facts) {
    const std::string lasting = lasting_fact(name, text);
    if (!lasting.empty()) {
      environment.machine[name] = lasting;
    }
    if (lasting != text) {
      environment.facts[name + "_in_full"] = text;
    }
  }
  add_fact(document, "env_name", "env_name", environment.facts);
  fingerprint_by("machine", environment);
  return environment;
}

ImportedSession read_results(const JsonValue& root, const Known& known) {
  const Entry document(root, "the file");
  const JsonValue* version = document.find("version");
  if (version != nullptr && as_number(*version, "\"version\"") != kVersion) {
    throw JsonFault{version->offset, "results of another version than 2", "run asv update"};
  }
  const JsonValue& results = document.at("results");
  AsvReader reader(read_columns(document.at("result_columns")), known);
  for (const JsonMember& entry : as_object(results, "\"results\"")) {
    reader.take(entry);
  }
  ImportedSession session;
  session.samples = reader.finish();
  session.samples.environment = read_environment(document.object);
  session.commit = text_field(document.object, "commit_hash");
  session.measured_at = utc_time_of(reader.started_at);
  return session;
}

}  // namespace

ImportedSession read_asv_results(std::string_view text, const std::string& filename,
                                 std::string_view benchmarks,
                                 const std::string& benchmarks_filename) {
  const Known known =
      benchmarks.empty() ? Known{}
                         : read_json_document(benchmarks, benchmarks_filename, read_asv_benchmarks);
  ImportedSession session = read_json_document(
      text, filename, [&](const JsonValue& root) { return read_results(root, known); });
  session.samples.source = filename;
  keep_usable(session.samples);
  return session;
}

/// Reads airspeed velocity's results of one commit and environment,
/// `results/MACHINE/COMMIT-ENVIRONMENT.json` (api version 2;
/// https://github.com/airspeed-velocity/asv/blob/main/asv/results.py). Each combination of
/// parameters is one benchmark: `module.time_x(10, 'a')`, with `param1`, `param2` as its
/// parameters.
///
/// `time_*` become step_time, in seconds: the samples where they were kept (--record-samples), else
/// the result, which is their median. `mem_*` become object_size, `peakmem_*` peak_memory, in
/// bytes, judged. `track_*`, whose unit and direction are unknown, become the metric `value`, shown
/// only. A result that is null is a failure, one that is NaN was skipped: a warning.
///
/// The commit is commit_hash; all `params` are the machine, with the versions of its dependencies,
/// and make up the fingerprint, as asv itself keeps its series apart; what changes by itself is
/// left out of them. `version`, a hash of the benchmark's source by default (asv_runner's
/// benchmarks), is SampleSeries::version.
Sessions read_asv(std::string_view text, const std::string& filename) {
  return {read_asv_results(text, filename, {}, {})};
}

}  // namespace perf::formats
