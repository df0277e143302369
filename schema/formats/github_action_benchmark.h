#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/formats/series_list.h"
#include "schema/imported.h"

namespace perf::formats {

/// What a result of github-action-benchmark is, by the tool and the unit that stand beside it.
struct ActionMeaning : Meaning {
  bool inverse_is_time = false;  ///< 1 / the rate is the mean time of an iteration
};

ActionMeaning action_meaning_of(std::string_view tool, std::string_view unit);

/// Reads the `data.js` of github-action-benchmark (version 1;
/// https://github.com/benchmark-action/github-action-benchmark), `window.BENCHMARK_DATA = {...}`,
/// and its `external-data-json-path`, which is that object alone. Each entry of a suite is a
/// session of one commit; a benchmark's name is SUITE/NAME, and one that stands twice in an entry
/// becomes NAME_2.
///
/// A result is one value, a mean or median by its tool. Times, per iteration or not (ns/iter, ms,
/// us/op), become step_time, in seconds; pytest's iter/sec and benchmark.js' ops/sec, which are 1 /
/// mean time, step_time and ops_per_second. Other rates become ops_per_second or bytes_per_second,
/// higher is better; Go's B/op and allocs/op what schema/formats/go_benchmark.h calls them. All
/// else is the metric `value` in its unit (bytes where that is one of size): judged where the tool
/// is customBiggerIsBetter or customSmallerIsBetter, which say what is good. The file tells no
/// machine.
///
/// Throws UsageError with file:line:column for anything else: no "entries", an entry without commit
/// or benches, a result without name, value or unit, a time that is negative, values of no
/// measurable magnitude, and a file without an entry. A value that is null is a failure.
std::vector<ImportedSession> read_github_action_benchmark(std::string_view text,
                                                          const std::string& filename);

/// The same of a file as one session: the newest entry, which is the last, of each suite.
SampleSet read_newest_action_entries(std::string_view text, const std::string& filename);

}  // namespace perf::formats
