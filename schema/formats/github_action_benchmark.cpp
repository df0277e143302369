#include "schema/formats/reading.h"
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
  EntryReader(std::string suite, std::string tool)
      : suite_(std::move(suite)), tool_(std::move(tool)) {}

  void take(const Entry& result) {
    const std::string& given = as_name(result.at("name"), "benchmark");
    const JsonValue& value = result.at("value");
    const std::string& unit = result.text("unit");
    const ActionMeaning meaning = action_meaning_of(tool_, unit);
    // Since 1.14 Go's first measure occurs twice: under the old name and under "NAME - ns/op".
    if (tool_ == "go" && std::string_view(given).ends_with(" - " + unit) &&
        twins_.contains({given.substr(0, given.size() - unit.size() - 3), meaning.metric.name})) {
      return;
    }
    const std::string name = name_for(given, unit, meaning.metric.name);
    if (value.is_null()) {
      list.set.failures.emplace(name, "its value is null");
      return;
    }
    const bool is_rate = meaning.metric.better == Better::higher;
    const double number = (meaning.metric == kStepTime || is_rate) && meaning.metric.name != "value"
                              ? measurable_amount(value, "\"value\"")
                              : measurable_number(value, "\"value\"");
    list.add(name, {}, meaning, number);
    if (meaning.inverse_is_time && number * meaning.factor > 0) {
      list.add(name, {}, step_times(), 1 / (number * meaning.factor));
    }
  }

  SeriesList list;

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
  std::map<std::pair<std::string, std::string>, int> twins_;  // of name and metric
};

ImportedSession read_entry(const std::string& suite, const Entry& entry) {
  const Entry commit(entry.at("commit"), "a commit");
  EntryReader reader(suite, text_field(entry.object, "tool"));
  for (const JsonValue& bench : entry.list("benches")) {
    reader.take({bench, "a result"});
  }
  ImportedSession session;
  session.samples = std::move(reader.list.set);
  session.commit = commit.text("id");
  if (const JsonValue* date = entry.find("date")) {
    session.measured_at = utc_time_of(as_number(*date, "\"date\""));
  }
  return session;
}

/// All entries, or the newest of each suite, which is the last.
Sessions read_entries(std::string_view text, const std::string& filename, bool newest) {
  return read_json_document(object_alone(text), filename, [&](const JsonValue& root) {
    const JsonValue& suites = Entry(root, "the file").at("entries");
    Sessions sessions;
    bool has_result = false;
    for (const JsonMember& suite : as_object(suites, "\"entries\"")) {
      const JsonArray& entries = as_array(suite.value, "a suite");
      for (std::size_t i = newest && !entries.empty() ? entries.size() - 1 : 0; i < entries.size();
           ++i) {
        const SampleSet& read =
            sessions.emplace_back(read_entry(suite.name, {entries[i], "an entry"})).samples;
        has_result = has_result || !read.series.empty() || !read.failures.empty();
      }
    }
    if (sessions.empty() || (newest && !has_result)) {
      throw JsonFault{suites.offset, "no benchmark result"};
    }
    return sessions;
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
  const Metric metric{"value", bytes ? "B" : std::string(unit),
                      bigger ? Better::higher : Better::lower};
  return {{metric, bytes.value_or(1), bigger || tool == kSmallerIsBetter}};
}

/// Reads the `data.js` of github-action-benchmark (version 1;
/// https://github.com/benchmark-action/github-action-benchmark), `window.BENCHMARK_DATA = {...}`,
/// and its `external-data-json-path`, which is that object alone. Each entry of a suite is a
/// session of one commit; a benchmark's name is SUITE/NAME, and a duplicate in an entry becomes
/// NAME_2.
///
/// A result is one value, a mean or median by its tool. Times, per iteration or not (ns/iter, ms,
/// us/op), become step_time, in seconds; pytest's iter/sec and benchmark.js' ops/sec, which are 1 /
/// mean time, step_time and ops_per_second. Other rates become ops_per_second or bytes_per_second,
/// higher is better; Go's B/op and allocs/op have the names of go_benchmark.cpp. All others are the
/// metric `value` in its unit (bytes for a unit of size): judged where the tool is
/// customBiggerIsBetter or customSmallerIsBetter, which give the direction. The file does not
/// describe the machine. A value that is null is a failure.
Sessions read_github_action_benchmark(std::string_view text, const std::string& filename) {
  return read_entries(text, filename, false);
}

/// The same of the newest entry of each suite.
Sessions read_newest_action_entries(std::string_view text, const std::string& filename) {
  return read_entries(text, filename, true);
}

}  // namespace perf::formats
