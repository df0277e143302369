#pragma once

#include <string>
#include <string_view>

#include "schema/imported.h"

namespace perf::formats {

/// Reads what pytest-benchmark writes under --benchmark-json=FILE and --benchmark-autosave
/// (version 4.0; https://pytest-benchmark.readthedocs.io). A benchmark is its fullname, its
/// parameters are `params`.
///
/// `stats.data`, seconds a round, becomes step_time; where it was not kept (--benchmark-save-data
/// was not given), the median of the summary is the one value, and a warning says of how many. The
/// commit is `commit_info.id`; a dirty tree is a warning. The machine: processor, system, kernel
/// and interpreter out of `machine_info`; its fingerprint needs the processor's brand.
///
/// Throws UsageError with file:line:column for anything else: no "benchmarks", a benchmark without
/// name or stats, times that are negative or of no measurable magnitude, a fullname twice.
ImportedSession read_pytest_benchmark(std::string_view text, const std::string& filename);

}  // namespace perf::formats
