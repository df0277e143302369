#pragma once

#include <string>
#include <string_view>

#include "schema/sample_set.h"

namespace perf::formats {

/// Reads what `hyperfine --export-json FILE` writes (1.15, and the fields that
/// newer versions added;
/// https://github.com/sharkdp/hyperfine/blob/master/src/benchmark/benchmark_result.rs). A benchmark
/// is a result: its command and its parameters.
///
/// `times` become step_time, in seconds, one a run; where they are not exported, the median of the
/// summary stands for them. `memory_usage_byte` becomes memory_usage, judged; `user` and `system`,
/// means over all runs, are shown. A command of which a run did not exit with 0 (which hyperfine
/// accepts under --ignore-failure) is a failure. Of the machine the file tells nothing.
///
/// Throws UsageError with file:line:column for anything else: no "results", a result without a
/// command or times, a time that is negative or of no measurable magnitude, a command twice with
/// the same parameters.
SampleSet read_hyperfine(std::string_view text, const std::string& filename);

}  // namespace perf::formats
