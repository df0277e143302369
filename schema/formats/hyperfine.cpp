#include "schema/formats/reading.h"
#include "schema/text/wording.h"

namespace perf::formats {
namespace {

const Meaning kMemoryUsage{{"memory_usage", "B", Better::lower}, 1, true};

/// Why runs of a command do not count; nothing where all exited with 0.
std::optional<std::string> failure_of(const Entry& result) {
  const JsonValue* codes = result.find("exit_codes");
  if (codes == nullptr) {
    return std::nullopt;
  }
  const JsonArray& runs = as_array(*codes, "\"exit_codes\"");
  std::size_t failed = 0;
  std::string first;
  for (const JsonValue& code : runs) {
    const std::int64_t status = code.is_null() ? -1 : as_integer(code, "an exit code");
    if (status != 0 && failed++ == 0) {
      first = code.is_null() ? "was killed by a signal" : "exited with " + std::to_string(status);
    }
  }
  if (failed == 0) {
    return std::nullopt;
  }
  return std::to_string(failed) + " of " + counted(runs.size(), "run") + " failed: the first " +
         first;
}

void take_result(const Entry& result, SeriesList& series) {
  const JsonValue& name = result.at("command");
  const std::string& command = as_text(name, "\"command\"");
  if (command.empty()) {
    throw JsonFault{name.offset, "\"command\" is empty"};
  }
  Params params;
  if (const JsonValue* given = result.find("parameters")) {
    params = read_params(*given, "\"parameters\"");
  }
  series.begin(command, name.offset, params, "give them different names: hyperfine -n NAME");
  if (const std::optional<std::string> failure = failure_of(result)) {
    series.set.failures.emplace(command, *failure);
    return;
  }
  SampleSeries& time = series.of(command, params, step_times());
  time.values = measurable_amounts(result.object, "times", "a time");
  if (time.values.empty()) {
    time.values.push_back(result.amount("median"));
  }
  for (const double bytes :
       measurable_amounts(result.object, "memory_usage_byte", "a memory usage")) {
    series.add(command, params, kMemoryUsage, bytes);
  }
  for (const std::string mode : {"user", "system"}) {
    if (const JsonValue* mean = result.find(mode)) {
      series.add(command, params, {{mode + "_time", "s", Better::lower}},
                 measurable_amount(*mean, mode));
    }
  }
}

}  // namespace

/// Reads `hyperfine --export-json FILE` (1.15, and the fields that newer versions added;
/// https://github.com/sharkdp/hyperfine/blob/master/src/benchmark/benchmark_result.rs). A benchmark
/// is a result: its command and its parameters.
///
/// `times` become step_time, in seconds, one a run; where they are not exported, the median of the
/// summary. `memory_usage_byte` becomes memory_usage, judged; `user` and `system`, means over all
/// runs, are shown. A command of which a run did not exit with 0 (which hyperfine accepts under
/// --ignore-failure) is a failure. The file does not describe the machine.
Sessions read_hyperfine(std::string_view text, const std::string& filename) {
  return read_json_document(text, filename, [](const JsonValue& root) {
    const JsonValue& results =
        Entry(root, "the file").at("results", "write the file with hyperfine --export-json FILE");
    SeriesList series;
    for (const JsonValue& result : as_array(results, "\"results\"")) {
      take_result({result, "a result"}, series);
    }
    return one_session(series.take(results.offset));
  });
}

}  // namespace perf::formats
