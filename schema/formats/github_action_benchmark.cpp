#include <map>
#include <optional>
#include <utility>

#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/readers.h"
#include "schema/formats/series_list.h"
#include "schema/text/utc_time.h"

namespace perf::formats {
namespace {

constexpr std::string_view kBiggerIsBetter = "customBiggerIsBetter";
constexpr std::string_view kSmallerIsBetter = "customSmallerIsBetter";

struct Fraction {
  std::string_view over, under;
};

/// "ns/iter" is ns over iter; "ms" is ms over nothing.
Fraction fraction_of(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) {
    return {unit, {}};
  }
  return {unit.substr(0, slash), unit.substr(slash + 1)};
}

bool is_of_iteration(std::string_view under) {
  return under.empty() || under == "iter" || under == "op" || under == "iteration";
}

/// A quantity over a time: "ops/sec", "iter/sec", "ops/ms", "MB/s".
std::optional<ActionMeaning> rate_of(std::string_view tool, const Fraction& unit) {
  const std::optional<double> seconds = seconds_in(unit.under);
  if (!seconds) {
    return std::nullopt;
  }
  if (const std::optional<double> bytes = bytes_in(unit.over)) {
    return ActionMeaning{{{"bytes_per_second", "B/s", Better::higher}, *bytes / *seconds, true}};
  }
  if (unit.over != "ops" && unit.over != "op" && unit.over != "iter") {
    return std::nullopt;
  }
  const bool inverse = tool == "pytest" || tool == "benchmarkjs";
  return ActionMeaning{{{"ops_per_second", "1/s", Better::higher}, 1 / *seconds, !inverse},
                       inverse};
}

/// The text with `window.BENCHMARK_DATA =` and a closing semicolon made blanks, so that places stay
/// right.
std::string object_alone(std::string_view text) {
  std::string object(text);
  const std::size_t brace = text.find('{');
  const std::string_view before = text.substr(0, brace);
  const std::size_t name = before.find("window.BENCHMARK_DATA");
  const bool assigns = brace != std::string_view::npos && name != std::string_view::npos &&
                       before.find('=') != std::string_view::npos &&
                       before.find_first_not_of(" \t\r\n") == name;
  if (!assigns) {
    return object;
  }
  for (std::size_t i = 0; i < brace; ++i) {
    object[i] = object[i] == '\n' ? '\n' : ' ';
  }
  const std::size_t last = object.find_last_not_of(" \t\r\n");
  if (object[last] == ';') {
    object[last] = ' ';
  }
  return object;
}

/// The results of one entry while they are read.
class EntryReader {
 public:
  EntryReader(std::string suite, std::string tool)
      : suite_(std::move(suite)), tool_(std::move(tool)) {}

  void take(const JsonValue& entry) {
    const JsonObject& result = as_object(entry, "a result");
    const JsonValue& named = required_field(result, entry.offset, "name", "a result");
    const JsonValue& value = required_field(result, entry.offset, "value", "a result");
    const std::string& unit =
        as_text(required_field(result, entry.offset, "unit", "a result"), "\"unit\"");
    const std::string& given = as_name(named, "benchmark");
    const ActionMeaning meaning = action_meaning_of(tool_, unit);
    // Since 1.14 Go's first measure stands twice: under the old name and under "NAME - ns/op".
    if (tool_ == "go" && std::string_view(given).ends_with(" - " + unit) &&
        twins_.count({given.substr(0, given.size() - unit.size() - 3), meaning.metric.name}) > 0) {
      return;
    }
    const std::string name = name_for(given, unit, meaning.metric.name);
    if (value.is_null()) {
      set_.failures.emplace(name, "its value is null");
      return;
    }
    const bool is_rate = meaning.metric.better == Better::higher;
    const double number = (meaning.metric == kStepTime || is_rate) && meaning.metric.name != "value"
                              ? measurable_amount(value, "\"value\"")
                              : measurable_number(value, "\"value\"");
    series_.add(name, {}, meaning, number);
    if (meaning.inverse_is_time && number * meaning.factor > 0) {
      series_.add(name, {}, step_times(), 1 / (number * meaning.factor));
    }
  }

  SampleSet finish() {
    set_.series = series_.take();
    return std::move(set_);
  }

 private:
  /// Go's "BenchmarkX - B/op" is another metric of "BenchmarkX".
  std::string name_for(std::string name, const std::string& unit, const std::string& metric) {
    const std::string ending = " - " + unit;
    if (tool_ == "go" && name.size() > ending.size() && std::string_view(name).ends_with(ending)) {
      name.erase(name.size() - ending.size());
    }
    const auto [found, is_first] = twins_.try_emplace({name, metric}, 1);
    if (!is_first) {
      const std::string plain = name;
      do {
        name = plain + "_" + std::to_string(++found->second);
      } while (!twins_.try_emplace({name, metric}, 1).second);
    }
    return suite_ + "/" + name;
  }

  std::string suite_, tool_;
  SampleSet set_;
  SeriesList series_;
  std::map<std::pair<std::string, std::string>, int> twins_;  // of name and metric
};

ImportedSession read_entry(const std::string& suite, const JsonValue& value) {
  const JsonObject& entry = as_object(value, "an entry");
  const JsonValue& commit = required_field(entry, value.offset, "commit", "an entry");
  const JsonValue& benches = required_field(entry, value.offset, "benches", "an entry");
  EntryReader reader(suite, text_field(entry, "tool"));
  for (const JsonValue& bench : as_array(benches, "\"benches\"")) {
    reader.take(bench);
  }
  ImportedSession session;
  session.samples = reader.finish();
  session.commit = as_text(
      required_field(as_object(commit, "\"commit\""), commit.offset, "id", "a commit"), "\"id\"");
  if (const JsonValue* date = optional_field(entry, "date")) {
    session.measured_at = utc_time_of(as_number(*date, "\"date\""));
  }
  return session;
}

std::vector<ImportedSession> read_data(const JsonValue& root, const std::string& filename) {
  const JsonValue& suites =
      required_field(as_object(root, "the file"), root.offset, "entries", "the file");
  std::vector<ImportedSession> sessions;
  for (const JsonMember& suite : as_object(suites, "\"entries\"")) {
    for (const JsonValue& entry : as_array(suite.value, "a suite")) {
      sessions.push_back(read_entry(suite.name, entry));
      sessions.back().samples.source = filename;
    }
  }
  if (sessions.empty()) {
    throw JsonFault{suites.offset, "no entry of any suite"};
  }
  return sessions;
}

SampleSet read_newest(const JsonValue& root, const std::string& filename) {
  const JsonValue& suites =
      required_field(as_object(root, "the file"), root.offset, "entries", "the file");
  SampleSet newest;
  for (const JsonMember& suite : as_object(suites, "\"entries\"")) {
    if (const JsonArray& entries = as_array(suite.value, "a suite"); !entries.empty()) {
      SampleSet samples = read_entry(suite.name, entries.back()).samples;
      newest.series.insert(newest.series.end(), samples.series.begin(), samples.series.end());
      newest.failures.merge(samples.failures);
    }
  }
  if (newest.series.empty() && newest.failures.empty()) {
    throw JsonFault{suites.offset, "no result in the newest entry of any suite"};
  }
  newest.source = filename;
  return newest;
}

}  // namespace

ActionMeaning action_meaning_of(std::string_view tool, std::string_view unit) {
  // Early versions kept all of Go's measures in the unit: "ns/op\t  16 B/op\t  2 allocs/op".
  if (tool == "go") {
    unit = unit.substr(0, unit.find_first_of("\t "));
  }
  const Fraction fraction = fraction_of(unit);
  const bool bigger = tool == kBiggerIsBetter;
  const std::optional<double> seconds = seconds_in(fraction.over);
  if (seconds && is_of_iteration(fraction.under) && !bigger) {
    return {step_times(*seconds)};
  }
  if (const std::optional<ActionMeaning> rate = rate_of(tool, fraction);
      rate && tool != kSmallerIsBetter) {
    return *rate;
  }
  if (const std::optional<Meaning> memory = go_memory(unit)) {
    return {*memory};
  }
  const std::optional<double> bytes = bytes_in(unit);
  const Metric metric{"value", bytes ? "B" : std::string(unit),
                      bigger ? Better::higher : Better::lower};
  return {{metric, bytes.value_or(1), bigger || tool == kSmallerIsBetter}};
}

std::vector<ImportedSession> read_github_action_benchmark(std::string_view text,
                                                          const std::string& filename) {
  return read_json_document(object_alone(text), filename,
                            [&](const JsonValue& root) { return read_data(root, filename); });
}

SampleSet read_newest_action_entries(std::string_view text, const std::string& filename) {
  return read_json_document(object_alone(text), filename,
                            [&](const JsonValue& root) { return read_newest(root, filename); });
}

}  // namespace perf::formats
