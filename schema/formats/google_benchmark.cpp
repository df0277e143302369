#include <array>

#include "schema/formats/reading.h"
#include "schema/text/utc_time.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedOutput =
    "write the file with --benchmark_format=json or --benchmark_out=FILE";

/// Numbers of a repetition that are not measurements.
constexpr std::array<std::string_view, 8> kNoMetrics{"family_index", "per_family_instance_index",
                                                     "repetitions",  "repetition_index",
                                                     "threads",      "iterations",
                                                     "real_time",    "cpu_time"};

/// The library's own counters.
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
      if (const JsonValue* fact = find_value(cache, key)) {
        one += (one.empty() ? "" : " ") + fact_text(*fact).value_or("");
      }
    }
    text += (text.empty() ? "" : ", ") + one;
  }
  return text;
}

Environment read_context(const JsonObject& context) {
  Environment environment;
  for (const JsonMember& member : context) {
    const bool of_machine =
        std::ranges::find(kGoogleMachineKeys, member.name) != kGoogleMachineKeys.end();
    if (member.name == "caches") {
      if (std::string caches = caches_of(member.value); !caches.empty()) {  // a virtual machine's
        environment.machine[member.name] = std::move(caches);
      }
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

double seconds_per(const Entry& run) {
  const JsonValue& value = run.at("time_unit");
  const std::string& unit = as_text(value, "\"time_unit\"");
  const std::optional<double> seconds = seconds_in(unit);
  if (!seconds || unit.size() > 2) {
    throw JsonFault{value.offset, "unknown time unit " + in_quotes(unit), "known: ns, us, ms, s"};
  }
  return *seconds;
}

/// run_name, since version 1.5; before, aggregates are called BM_X_median.
std::string name_of(const Entry& run, std::string_view aggregate) {
  const JsonValue* given = find_value(run.object, "run_name");
  const std::string ending = "_" + std::string(aggregate);
  std::string name = given == nullptr ? run.text("name") : as_text(*given, "\"run_name\"");
  if (given == nullptr && !aggregate.empty() && name.ends_with(ending)) {
    name.resize(name.size() - ending.size());
  }
  return name;
}

bool is_aggregate(const JsonObject& run) {
  return text_field(run, "run_type") == "aggregate" ||
         find_member(run, "aggregate_name") != nullptr || find_member(run, "big_o") != nullptr ||
         find_member(run, "rms") != nullptr;
}

/// The text of that name, or the name itself.
std::string message_of(const JsonObject& run, const std::string& name) {
  const std::string text = text_field(run, name);
  return text.empty() ? name : text;
}

class GoogleReader {
 public:
  GoogleReader() { list.remedy = "run without --benchmark_report_aggregates_only"; }

  void take(const Entry& run) {
    const std::string aggregate = text_field(run.object, "aggregate_name");
    if (is_aggregate(run.object)) {
      if (aggregate == "median" || aggregate == "mean") {
        tell_apart(run, name_of(run, aggregate));
        aggregates_[name_of(run, aggregate)][aggregate].push_back(run);
      }
      return;
    }
    const std::string name = name_of(run, "");
    tell_apart(run, name);
    if (name.empty()) {
      nameless_ = true;
    } else if (is_true(run.object, "error_occurred")) {
      list.set.failures.insert({{name}, message_of(run.object, "error_message")});
      ++failed_[name];
    } else if (is_true(run.object, "skipped")) {
      list.skip(name, message_of(run.object, "skip_message"));
    } else {
      take_times(run, name);
    }
  }

  SampleSet finish() {
    take_aggregates();
    if (nameless_) {
      list.set.warnings.push_back({WarningKind::benchmark_skipped,
                                   {},
                                   {{"benchmark", "a benchmark"}, {"why", "it has no name"}}});
    }
    leave_out_failing();
    for (const auto& [benchmark, reason] : list.set.failures) {
      if (measured_.contains(benchmark.name)) {
        list.set.warnings.push_back(
            {WarningKind::repetitions_left_out,
             {},
             {{"benchmark", in_quotes(benchmark.name)}, {"why", in_quotes(reason)}}});
      }
    }
    for (const auto& [name, repetitions] : measured_) {
      list.set.failures.erase({name});
      list.set.skipped.erase({name});
    }
    return list.take();
  }

  SeriesList list;

 private:
  /// Two functions of one name are two families.
  void tell_apart(const Entry& run, const std::string& name) {
    if (const auto* family = field_as<std::int64_t>(run.object, "family_index")) {
      if (families_.try_emplace(name, *family).first->second != *family) {
        list.refuse(name);
      }
    }
  }

  void take_times(const Entry& run, const std::string& name) {
    const double unit = seconds_per(run);
    list.add(name, {}, step_times(unit), number_or_nan(run.at("real_time"), "\"real_time\""));
    if (const JsonValue* cpu_time = find_value(run.object, "cpu_time")) {
      list.add(name, {}, {{"cpu_time", "s", Better::lower}, unit},
               number_or_nan(*cpu_time, "\"cpu_time\""));
    }
    take_counters(run.object, name);
    ++measured_[name];
  }

  /// What most repetitions failed at failed.
  void leave_out_failing() {
    for (const auto& [name, failed] : failed_) {
      if (const auto found = measured_.find(name);
          found != measured_.end() && found->second < failed) {
        measured_.erase(found);
        std::erase_if(list.set.series, [&](const SampleSeries& one) { return one.name == name; });
      }
    }
  }

  /// Of a benchmark without repetitions the median counts, else the mean.
  void take_aggregates() {
    for (const auto& [name, by_statistic] : aggregates_) {
      if (measured_.contains(name) || list.set.failures.contains({name})) {
        continue;
      }
      const auto& [statistic, runs] = *by_statistic.rbegin();  // "median" is after "mean"
      list.count_statistic(statistic);
      for (const Entry& run : runs) {
        take_times(run, name);
      }
    }
  }

  /// Counters of other types, and integers that no double holds, are passed over.
  void take_counters(const JsonObject& run, const std::string& name) {
    for (const JsonMember& member : run) {
      if (!is_number(member.value) || std::holds_alternative<LargeInteger>(member.value.data) ||
          member.name == kStepTime.name ||
          std::ranges::find(kNoMetrics, member.name) != kNoMetrics.end()) {
        continue;
      }
      const auto known = std::ranges::find(kKnownCounters, member.name, &KnownCounter::name);
      Meaning meaning{{member.name, "1", Better::lower}};
      if (known != kKnownCounters.end()) {
        meaning = {{member.name, std::string(known->unit), known->better}, 1, known->judge};
      }
      list.add(name, {}, meaning, as_number(member.value, "a counter"));
    }
  }

  bool nameless_ = false;                         // a benchmark has no name
  std::map<std::string, int> measured_, failed_;  // repetitions
  std::map<std::string, std::int64_t> families_;
  std::map<std::string, std::map<std::string, std::vector<Entry>>> aggregates_;  // by statistic
};

}  // namespace

/// Reads what a Google Benchmark program writes under --benchmark_format=json or --benchmark_out
/// (https://github.com/google/benchmark/blob/main/docs/user_guide.md, "Output Formats"). Each
/// repetition is a value, also of runs that were merged into one file; mean, median, stddev and the
/// like are left out, as is a repetition that was skipped or reported an error; a benchmark of
/// which every repetition did is in `skipped` or in `failures`, as is one of which most reported an
/// error. Where a file holds no repetitions
/// (--benchmark_report_aggregates_only), the median is the one value, with a warning.
///
/// real_time becomes step_time, in seconds; cpu_time is reported beside it, as are items_per_second
/// and bytes_per_second, which repeat it, and counters, whose direction is unknown. allocs_per_iter
/// and max_bytes_used of a memory manager are judged. The library writes NaN and infinities bare,
/// although JSON has none (json_reporter.cc: NaN, Infinity; nan, -nan, inf before version 1.6).
///
/// The name of the executable is a parameter: several programs may have benchmarks of one name.
///
/// The context's number of CPUs, caches and build type of the library are the machine; with the
/// host's name they are its fingerprint. (mhz_per_cpu is measured and differs from run to run.)
Sessions read_google_benchmark(std::string_view text, const std::string& filename) {
  const auto read = [](const JsonValue& root) {
    const Entry document(root, "the file");
    const JsonValue& benchmarks = document.at("benchmarks", kWantedOutput);
    GoogleReader reader;
    if (const JsonValue* context = find_value(document.object, "context")) {
      reader.list.set.environment = read_context(as_object(*context, "\"context\""));
    }
    for (const JsonValue& run : as_array(benchmarks, "\"benchmarks\"")) {
      reader.take({run, "a repetition"});
    }
    SampleSet set = reader.finish();
    std::string program = fact_of(set, kExecutable);
    program.erase(0, program.find_last_of("/\\") + 1);
    rename_benchmarks(set, [&program](BenchmarkId benchmark) {
      if (!program.empty()) {
        benchmark.params[kExecutable] = setting_text(program);
      }
      return benchmark;
    });
    const std::string date = fact_of(set, "date");
    return one_session(std::move(set), {}, utc_time(date));
  };
  const bool is_console = !trimmed(text, " \t\r\n").starts_with('{');
  return read_json_document(text, filename, read, is_console ? kWantedOutput : "");
}

}  // namespace perf::formats
