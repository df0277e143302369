#pragma once

#include <string>
#include <string_view>

#include "schema/imported.h"

namespace perf::formats {

/// A text beside the one that is read, and its name; empty where there is none.
struct SecondText {
  std::string_view text{};
  std::string filename{};
};

/// Reads what airspeed velocity keeps of one commit and environment,
/// `results/MACHINE/COMMIT-ENVIRONMENT.json` (api version 2;
/// https://github.com/airspeed-velocity/asv/blob/main/asv/results.py). A benchmark of which
/// parameters were tried is one benchmark each: `module.time_x(10, 'a')`, with `param1`, `param2`
/// as its parameters.
///
/// `time_*` become step_time, in seconds: the samples where they were kept (--record-samples), else
/// the result, which is their median. `mem_*` become object_size, `peakmem_*` peak_memory, in
/// bytes, judged. Of `track_*` nobody knows unit or direction: metric `value`, shown only. A result
/// that is null is a failure, one that is NaN was skipped: a warning.
///
/// The commit is commit_hash; all `params` are the machine, the versions of what it was built
/// against among them, and make up the fingerprint, as asv itself tells its series apart.
///
/// `benchmarks`, the text of `results/benchmarks.json`, tells the names of parameters, and the type
/// and unit of a benchmark where its name does not.
///
/// Throws UsageError with file:line:column for anything else: another version, no results, more or
/// fewer results than parameters, times that are negative or of no measurable magnitude.
ImportedSession read_asv(std::string_view text, const std::string& filename,
                         const SecondText& benchmarks = {});

}  // namespace perf::formats
