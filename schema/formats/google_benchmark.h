#pragma once

#include <string>
#include <string_view>

#include "schema/sample_set.h"

namespace perf::formats {

/// Reads what a Google Benchmark program writes under --benchmark_format=json or --benchmark_out
/// (https://github.com/google/benchmark/blob/main/docs/user_guide.md, "Output Formats"). Each
/// repetition is a value; mean, median, stddev and the like are left out, so is a repetition that
/// was skipped or reported an error; a benchmark of which every repetition did stands in
/// `skipped` or in `failures`.
///
/// real_time becomes step_time, in seconds; cpu_time is reported beside it, so are items_per_second
/// and bytes_per_second, which repeat it, and counters, whose direction the file does not tell.
/// allocs_per_iter and max_bytes_used of a memory manager are judged.
///
/// The context's number of CPUs, caches and build type of the library are the machine; with the
/// host's name they are its fingerprint. (mhz_per_cpu is measured and differs from run to run.)
///
/// Throws UsageError with file:line:column for anything else: no "benchmarks", a repetition
/// without name, time or known time_unit, negative times, more than the limits of read_json. NaN
/// and infinities, which the library writes although JSON has none, count as no value.
SampleSet read_google_benchmark(std::string_view text, const std::string& filename);

}  // namespace perf::formats
