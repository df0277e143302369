#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedJmh = "write the file with -rf json -rff FILE";

/// "org.example.Kit.load/size=1024/avgt": several modes of one benchmark are several benchmarks.
std::string name_of_run(const Entry& run) {
  std::string name = as_name(run.at("benchmark"), "benchmark");
  if (const JsonValue* params = run.find("params")) {
    for (const JsonMember& param : as_object(*params, "\"params\"")) {
      name += "/" + param.name + "=" + fact_text(param.value).value_or("");
    }
  }
  const JsonValue* given = run.find("threads");
  const std::string threads = given == nullptr ? "1" : fact_text(*given).value_or("1");
  return name + "/" + run.text("mode") + (threads == "1" ? "" : "/threads=" + threads);
}

/// By its unit: "us/op", "ops/ms". Nothing for any other.
std::optional<Meaning> meaning_of_score(const std::string& unit) {
  constexpr std::string_view kPerOperation = "/op", kRate = "ops/";
  if (unit.ends_with(kPerOperation)) {
    const auto seconds = seconds_in(unit.substr(0, unit.size() - kPerOperation.size()));
    return seconds ? std::optional(step_times(*seconds)) : std::nullopt;
  }
  const auto seconds =
      unit.starts_with(kRate) ? seconds_in(unit.substr(kRate.size())) : std::nullopt;
  return seconds
             ? std::optional(Meaning{{"ops_per_second", "1/s", Better::higher}, 1 / *seconds, true})
             : std::nullopt;
}

/// The mean of an iteration in mode `sample`, a list of [time, count]; the number of any other.
double score_of_iteration(const JsonValue& iteration) {
  if (!std::holds_alternative<JsonArray>(iteration.data)) {
    return number_or_nan(iteration, "a score");
  }
  double sum = 0, count = 0;
  for (const JsonValue& one : as_array(iteration, "an iteration")) {
    const JsonArray& times = as_array(one, "a time and its count");
    if (times.size() != 2) {
      throw JsonFault{one.offset, "not a time and its count"};
    }
    const double of_time = measurable_amount(times[1], "a count");
    sum += number_or_nan(times[0], "a time") * of_time;
    count += of_time;
  }
  return sum / count;  // NaN where there is none
}

/// A number for each iteration of each fork; the score where they were not kept
/// (-Djmh.json.rawData=false).
std::vector<double> scores_of(const Entry& result) {
  std::vector<double> scores;
  for (const std::string_view name : {"rawData", "rawDataHistogram"}) {
    const JsonValue* forks = result.find(name);
    for (const JsonValue& fork : forks == nullptr ? JsonArray() : as_array(*forks, name)) {
      for (const JsonValue& iteration : as_array(fork, "a fork")) {
        scores.push_back(score_of_iteration(iteration));
      }
    }
  }
  return scores.empty() ? std::vector{number_or_nan(result.at("score"), "a score")} : scores;
}

/// Results of profilers; older versions write "·gc.alloc.rate.norm".
void take_secondary(const std::string& name, const JsonMember& member, SeriesList& list) {
  constexpr std::string_view kMiddleDot = "\xC2\xB7";
  std::string metric = member.name;
  if (metric.starts_with(kMiddleDot)) {
    metric.erase(0, kMiddleDot.size());
  }
  const Entry result(member.value, "a secondary metric");
  const std::string unit = text_field(result.object, "scoreUnit");
  if (metric != "gc.alloc.rate.norm") {
    const bool is_rate = unit.starts_with("ops/") || unit.ends_with("/sec");
    list.add_all(name, {}, {{metric, unit, is_rate ? Better::higher : Better::lower}},
                 scores_of(result));
    return;
  }
  const Meaning bytes = *go_memory("B/op");
  list.add_all(name, {}, bytes, scores_of(result));
  // Below a byte it is what JMH itself allocates, by the number of operations.
  SampleSeries& series = list.of(name, {}, bytes);
  series.judge = std::ranges::any_of(series.values, [](double value) { return value >= 1; });
}

void take_run(const Entry& run, SeriesList& list) {
  const std::string name = name_of_run(run);
  list.begin(name);
  const Entry primary(run.at("primaryMetric"), "\"primaryMetric\"");
  const std::string& unit = primary.text("scoreUnit");
  if (const std::optional<Meaning> meaning = meaning_of_score(unit)) {
    list.add_all(name, {}, *meaning, scores_of(primary));
  } else {
    list.set.failures.insert({{name, {}}, "unknown unit " + in_quotes(unit)});
  }
  if (const JsonValue* secondary = run.find("secondaryMetrics")) {
    for (const JsonMember& member : as_object(*secondary, "\"secondaryMetrics\"")) {
      take_secondary(name, member, list);
    }
  }
}

/// "17" of 17.0.9, "1.8" of 1.8.0_392: a patch is no other machine.
std::string java_of(const std::string& version) {
  const std::string_view known = version.starts_with("1.") ? "1." : "";
  return version.substr(0, version.find_first_not_of("0123456789", known.size()));
}

/// What sets the virtual machine up; files and folders may be other ones in each run.
std::string arguments_of(const JsonObject& run) {
  std::vector<std::string> arguments;
  for (const JsonValue& one : field_or_empty<JsonArray>(run, "jvmArgs")) {
    if (const auto text = fact_text(one); text && text->find_first_of("/\\") == text->npos) {
      arguments.push_back(*text);
    }
  }
  return setting_text(joined(arguments, " "));
}

Environment environment_of_run(const JsonObject& run) {
  Environment environment;
  add_fact(run, "vmName", "vm", environment.machine);
  if (const std::string java = java_of(text_field(run, "jdkVersion")); !java.empty()) {
    environment.machine["java"] = java;
  }
  add_facts(run, {"jmhVersion", "jdkVersion", "vmVersion", "jvm"}, environment.facts);
  return environment;
}

}  // namespace

/// Reads what JMH (1.37) writes under -rf json (https://github.com/openjdk/jmh/blob/master/
/// jmh-core/src/main/java/org/openjdk/jmh/results/format/JSONResultFormat.java). A benchmark is its
/// method with its parameters and mode, and the number of threads where it is not 1; the arguments
/// of the virtual machine are a parameter.
///
/// A value is the score of an iteration, of all forks: forks are processes, but of one session. In
/// a unit of time (modes avgt, sample, ss) it is step_time, in seconds; a rate (thrpt) is
/// ops_per_second, judged. In mode sample it is the mean of the iteration's histogram. Of the
/// secondary metrics the normalized allocation rate is judged, as bytes_per_op, and others are
/// shown. JMH leaves benchmarks out that failed.
///
/// The file names the Java virtual machine, and neither the machine nor the commit.
Sessions read_jmh(std::string_view text, const std::string& filename) {
  const auto read = [](const JsonValue& root) {
    SeriesList list;
    const JsonArray& runs = as_array(root, "the file");
    std::map<std::string, std::string> arguments;
    for (const JsonValue& one : runs) {
      const Entry run(one, "a run");
      take_run(run, list);
      arguments[name_of_run(run)] = arguments_of(run.object);
    }
    if (!runs.empty()) {
      list.set.environment = environment_of_run(as_object(runs.front(), "a run"));
    }
    SampleSet set = list.take();
    rename_benchmarks(set, [&arguments](BenchmarkId benchmark) {
      if (const std::string& own = arguments[benchmark.name]; !own.empty()) {
        benchmark.params[kArgumentsOfJava] = own;
      }
      return benchmark;
    });
    return one_session(std::move(set));
  };
  return read_json_document(text, filename, read, kWantedJmh);
}

}  // namespace perf::formats
