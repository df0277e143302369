#include <array>

#include "schema/formats/reading.h"
#include "schema/text/utc_time.h"

namespace perf::formats {
namespace {

constexpr std::string_view kBiggerIsBetter = "customBiggerIsBetter";
constexpr std::string_view kSmallerIsBetter = "customSmallerIsBetter";

constexpr std::array<std::string_view, 4> kAggregates{"_mean", "_median", "_stddev", "_cv"};

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

/// The text with blanks for `window.BENCHMARK_DATA =` and a closing semicolon: places stay right.
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
  EntryReader(std::string suite, const Entry& entry)
      : suite_(std::move(suite)), tool_(text_field(entry.object, "tool")) {
    for (const JsonValue& bench : entry.list("benches")) {
      all_.insert(text_field(Entry(bench, "a result").object, "name"));
    }
    for (const JsonValue& bench : entry.list("benches")) {
      take({bench, "a result"});
    }
  }

  SeriesList list;

 private:
  /// Whether Google Benchmark repeated it: the tool keeps all rows (src/extract.ts).
  bool is_repeated(const std::string& name) const {
    return tool_ == "googlecpp" && all_.contains(name + "_mean");
  }
  bool is_aggregate_row(const std::string& name) const {
    return std::ranges::any_of(kAggregates, [&](std::string_view ending) {
      const std::string of = name.substr(0, name.size() - std::min(ending.size(), name.size()));
      return name.ends_with(ending) && is_repeated(of) &&
             (all_.contains(of) || ending == "_stddev" || ending == "_cv");
    });
  }

  void take(const Entry& result) {
    const std::string& given = as_name(result.at("name"), "benchmark");
    if (is_aggregate_row(given)) {
      return;
    }
    const JsonValue& value = result.at("value");
    const std::string unit = text_field(result.object, "unit");
    const ActionMeaning meaning = action_meaning_of(tool_, unit);
    const std::string ending = " - " + unit;
    const bool is_measure =
        tool_ == "go" && given.size() > ending.size() && given.ends_with(ending);
    // Go's "BenchmarkX - B/op" is another metric of "BenchmarkX".
    const std::string plain = is_measure ? given.substr(0, given.size() - ending.size()) : given;
    const std::string name = suite_ + "/" + plain;
    // Since 1.14 Go's first measure occurs twice: under the old name and under "NAME - ns/op".
    const bool is_first = given_.insert({given, meaning.metric.name}).second;
    if (is_measure && is_first && given_.contains({plain, meaning.metric.name})) {
      return;
    }
    if (!is_first && !is_repeated(given)) {
      list.refuse(name);
    }
    const double number = written_number(value, "\"value\"");  // dashboards write text, too
    list.add(name, {}, meaning, number);
    if (meaning.inverse_is_time) {
      list.add(name, {}, step_times(), 1 / (number * meaning.factor));
    }
  }

  std::string suite_, tool_;
  std::set<std::string> all_;                            // names
  std::set<std::pair<std::string, std::string>> given_;  // names, each with its metric
};

ImportedSession read_entry(const std::string& suite, const Entry& entry) {
  const Entry commit(entry.at("commit"), "a commit");
  EntryReader reader(suite, entry);
  ImportedSession session;
  session.samples = reader.list.take();
  session.commit = commit.text("id");
  if (const JsonValue* date = entry.find("date")) {
    session.measured_at = utc_time_of(as_number(*date, "\"date\""));
  }
  return session;
}

/// The newest of a suite by date, the last of those; its others may be of any form.
const JsonValue& newest_of(const JsonArray& entries) {
  const JsonValue* newest = &entries.back();
  double latest = -1;
  for (const JsonValue& entry : entries) {
    const JsonObject* object = std::get_if<JsonObject>(&entry.data);
    const JsonValue* date = object == nullptr ? nullptr : find_value(*object, "date");
    if (date != nullptr && is_number(*date) && as_number(*date, "\"date\"") >= latest) {
      latest = as_number(*date, "\"date\"");
      newest = &entry;
    }
  }
  return *newest;
}

/// All entries, or the newest of each suite.
Sessions read_entries(std::string_view text, const std::string& filename, bool newest) {
  return read_json_document(object_alone(text), filename, [&](const JsonValue& root) {
    const JsonValue& suites = Entry(root, "the file").at("entries");
    Sessions sessions;
    for (const JsonMember& suite : as_object(suites, "\"entries\"")) {
      const JsonArray& entries = as_array(suite.value, "a suite");
      if (newest && !entries.empty()) {
        sessions.push_back(read_entry(suite.name, {newest_of(entries), "an entry"}));
        continue;
      }
      for (const JsonValue& entry : entries) {
        sessions.push_back(read_entry(suite.name, {entry, "an entry"}));
      }
    }
    if (sessions.empty() && !newest) {
      throw JsonFault{suites.offset, "no benchmark result"};
    }
    return sessions.empty() ? one_session(SeriesList().take()) : sessions;
  });
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
  const Metric metric{"value",
                      bytes          ? "B"
                      : unit.empty() ? "1"
                                     : std::string(unit),
                      bigger ? Better::higher : Better::lower};
  return {{metric, bytes.value_or(1), bigger || tool == kSmallerIsBetter}};
}

/// Reads the `data.js` of github-action-benchmark (version 1;
/// https://github.com/benchmark-action/github-action-benchmark), `window.BENCHMARK_DATA = {...}`,
/// and its `external-data-json-path`, which is that object alone. Each entry of a suite is a
/// session of one commit; a benchmark's name is SUITE/NAME. Google Benchmark's repetitions are
/// those of one benchmark, their mean, median, stddev and cv are left out. Of another that comes
/// twice in an entry, as Go's of two packages do, nobody knows which is which: it is left out, with
/// a warning.
///
/// A result is one value, a mean or median by its tool. Times, per iteration or not (ns/iter, ms,
/// us/op), become step_time, in seconds; pytest's iter/sec and benchmark.js' ops/sec, which are 1 /
/// mean time, step_time and ops_per_second. Other rates become ops_per_second or bytes_per_second,
/// higher is better; Go's B/op and allocs/op have the names of go_benchmark.cpp. All others are the
/// metric `value` in its unit (bytes for a unit of size): judged where the tool is
/// customBiggerIsBetter or customSmallerIsBetter, which give the direction. The file does not
/// describe the machine. A value that is no number is a failure.
Sessions read_github_action_benchmark(std::string_view text, const std::string& filename) {
  return read_entries(text, filename, false);
}

/// The same of the newest entry of each suite.
Sessions read_newest_action_entries(std::string_view text, const std::string& filename) {
  return read_entries(text, filename, true);
}

}  // namespace perf::formats
