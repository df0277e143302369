#include "schema/formats/reading.h"
#include "schema/text/wording.h"

namespace perf::formats {
namespace {

const Meaning kMemoryUsage{{"memory_usage", "B", Better::lower}, 1, true};

/// Which runs of a command failed, and why they do not count; nothing where all exited with 0.
struct FailedRuns {
  std::vector<bool> failed;  ///< run by run
  std::size_t count = 0;
  std::string first;

  std::string why() const {
    return std::to_string(count) + " of " + counted(failed.size(), "run") + " failed: the first " +
           first;
  }
};

FailedRuns failed_runs_of(const Entry& result) {
  FailedRuns runs;
  const JsonValue* codes = result.find("exit_codes");
  for (const JsonValue& code :
       codes == nullptr ? JsonArray() : as_array(*codes, "\"exit_codes\"")) {
    const std::int64_t status = code.is_null() ? -1 : as_integer(code, "an exit code");
    runs.failed.push_back(status != 0);
    if (status != 0 && runs.count++ == 0) {
      runs.first =
          code.is_null() ? "was killed by a signal" : "exited with " + std::to_string(status);
    }
  }
  return runs;
}

/// A list of values, one a run, without those of failed runs.
std::vector<double> values_of_good_runs(const Entry& result, std::string_view name,
                                        std::string_view subject, const FailedRuns& runs) {
  std::vector<double> values = numbers_or_nan(result.object, name, subject);
  if (values.size() == runs.failed.size()) {
    std::size_t run = 0;
    std::erase_if(values, [&](double) { return runs.failed[run++]; });
  }
  return values;
}

/// Where memory is not measured, hyperfine writes 0.
void take_memory(const Entry& result, const std::string& command, const Params& params,
                 const FailedRuns& runs, std::size_t times, SeriesList& series) {
  std::vector<double> memory =
      values_of_good_runs(result, "memory_usage_byte", "a memory usage", runs);
  if (times > memory.size() && !memory.empty()) {
    series.leave_out(command, kMemoryUsage.metric, times - memory.size(),
                     std::to_string(memory.size()) + " for " + counted(times, "run"));
  }
  if (const std::size_t zeros = std::erase(memory, 0); zeros > 0) {
    series.leave_out(command, kMemoryUsage.metric, zeros, "0 is not measured");
  }
  series.add_all(command, params, kMemoryUsage, memory);
}

void take_result(const Entry& result, SeriesList& series) {
  const JsonValue& name = result.at("command");
  const std::string& command = as_name(name, "command");
  Params params;
  if (const JsonValue* given = result.find("parameters")) {
    params = read_params(*given, "\"parameters\"");
  }
  series.begin(command, params);
  const FailedRuns runs = failed_runs_of(result);
  const std::vector<double> times = values_of_good_runs(result, "times", "a time", runs);
  if (runs.count > 0 && (times.empty() || 2 * runs.count > runs.failed.size())) {
    series.set.failures.insert({{command, params}, runs.why()});
    return;
  }
  if (runs.count > 0) {
    series.set.warnings.push_back({WarningKind::repetitions_left_out,
                                   {},
                                   {{"benchmark", in_quotes(command)}, {"why", runs.why()}}});
  }
  series.add_times(command, params, times, result);
  take_memory(result, command, params, runs, times.size(), series);
  for (const std::string mode : {"user", "system"}) {
    const JsonValue* mean = result.find(mode);
    if (mean != nullptr && runs.count == 0) {
      series.add(command, params, {{mode + "_time", "s", Better::lower}},
                 number_or_nan(*mean, mode));
    }
  }
}

}  // namespace

/// Reads `hyperfine --export-json FILE` (1.15, and the fields that newer versions added;
/// https://github.com/sharkdp/hyperfine/blob/master/src/benchmark/benchmark_result.rs). A benchmark
/// is a result: its command and its parameters.
///
/// `times` become step_time, in seconds, one a run; where they are not exported, the median of the
/// summary, else its mean, with a warning. `memory_usage_byte` becomes memory_usage, judged; `user`
/// and `system`, means over all runs, are shown. A run that did not exit with 0 (which hyperfine
/// accepts under --ignore-failure) is left out, with a warning; a command of which most did, or
/// whose times are not exported, is a failure. The file does not describe the machine.
Sessions read_hyperfine(std::string_view text, const std::string& filename) {
  return read_json_document(text, filename, [](const JsonValue& root) {
    const JsonValue& results =
        Entry(root, "the file").at("results", "write the file with hyperfine --export-json FILE");
    SeriesList series;
    for (const JsonValue& result : as_array(results, "\"results\"")) {
      take_result({result, "a result"}, series);
    }
    return one_session(series.take());
  });
}

}  // namespace perf::formats
