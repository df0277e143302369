#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "schema/formats/asv_names.h"
#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/readers.h"
#include "schema/formats/series_list.h"
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

Meaning meaning_of(const AsvBenchmark& benchmark) {
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

/// asv writes NaN, which read_json_document makes an empty text, for what was skipped.
bool is_nan(const JsonValue& value) {
  const std::string* text = std::get_if<std::string>(&value.data);
  return text != nullptr && text->empty();
}

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
    if (results == nullptr) {
      set_.failures.emplace(entry.name, "it failed with all its parameters, or the build did");
      return;
    }
    const auto combinations = asv_combinations(row.cell("params"), count);
    if (combinations.size() != count) {
      throw JsonFault{results->offset, std::to_string(count) + " results for " +
                                           std::to_string(combinations.size()) +
                                           " combinations of parameters"};
    }
    if (entry.name.size() * count > kMostNameBytes) {
      refuse_many_series();
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = asv_display_name(entry.name, combinations[i]);
      if (const JsonValue* result = item_of(results, i, "\"result\"")) {
        take_result(name, asv_params(combinations[i], benchmark.param_names), meaning_of(benchmark),
                    *result, item_of(row.cell("samples"), i, "\"samples\""));
      } else {
        set_.failures.emplace(name, "asv has no result of it: it failed");
      }
    }
  }

  SampleSet finish(std::size_t offset) {
    if (skipped_ > 0) {
      set_.warnings.push_back({WarningKind::benchmarks_skipped, {{"benchmarks", skipped_}}});
    }
    set_.series = series_.take();
    if (set_.series.empty() && set_.failures.empty() && set_.warnings.empty()) {
      throw JsonFault{offset, "no result of any benchmark"};
    }
    return std::move(set_);
  }

  double started_at = std::numeric_limits<double>::infinity();  ///< ms since 1970; the earliest

 private:
  void take_result(const std::string& name, const Params& params, const Meaning& meaning,
                   const JsonValue& result, const JsonValue* samples) {
    if (is_nan(result)) {
      ++skipped_;
      set_.skipped.emplace(name, "asv says NaN of it");
      return;
    }
    SampleSeries& series = series_.of(name, params, meaning);
    const auto add = [&](const JsonValue& value, std::string_view subject) {
      const double number =
          meaning.judge ? measurable_amount(value, subject) : measurable_number(value, subject);
      series.values.push_back(number * meaning.factor);
    };
    if (samples != nullptr) {
      for (const JsonValue& sample : as_array(*samples, "the samples of a result")) {
        add(sample, "a sample");
      }
    }
    if (series.values.empty()) {
      add(result, "a result");
    }
  }

  std::map<std::string, std::size_t> columns_;
  const Known& known_;
  SampleSet set_;
  SeriesList series_;
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

Environment read_environment(const JsonObject& document) {
  Environment environment;
  add_fact(document, "python", "python", environment.machine);
  const JsonValue* params = optional_field(document, "params");
  if (params != nullptr) {
    for (const JsonMember& member : as_object(*params, "\"params\"")) {
      if (const std::optional<std::string> text = fact_text(member.value)) {
        environment.machine[member.name] = *text;
      }
    }
  }
  add_fact(document, "env_name", "env_name", environment.facts);
  fingerprint_by("machine", environment);
  return environment;
}

ImportedSession read_results(const JsonValue& root, const Known& known) {
  const JsonObject& document = as_object(root, "the file");
  const JsonValue* version = optional_field(document, "version");
  if (version != nullptr && as_number(*version, "\"version\"") != kVersion) {
    throw JsonFault{version->offset, "results of another version than 2",
                    "run `asv update` to bring them up to date"};
  }
  const JsonValue& results = required_field(document, root.offset, "results", "the file");
  AsvReader reader(
      read_columns(required_field(document, root.offset, "result_columns", "the file")), known);
  for (const JsonMember& entry : as_object(results, "\"results\"")) {
    reader.take(entry);
  }
  ImportedSession session;
  session.samples = reader.finish(results.offset);
  session.samples.environment = read_environment(document);
  session.commit = text_field(document, "commit_hash");
  session.measured_at = utc_time_of(reader.started_at);
  return session;
}

}  // namespace

ImportedSession read_asv(std::string_view text, const std::string& filename,
                         const SecondText& benchmarks) {
  const Known known =
      benchmarks.text.empty()
          ? Known{}
          : read_json_document(benchmarks.text, benchmarks.filename, read_asv_benchmarks);
  ImportedSession session = read_json_document(
      text, filename, [&](const JsonValue& root) { return read_results(root, known); });
  session.samples.source = filename;
  return session;
}

}  // namespace perf::formats
