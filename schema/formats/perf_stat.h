#pragma once

#include <string>
#include <string_view>

#include "schema/sample_set.h"

namespace perf::formats {

/// Whether a text begins as what `perf stat -j` writes.
bool is_perf_stat(std::string_view text);

/// Reads what `perf stat -j` prints, JSON Lines of a counter each (perf 6.1): a counter's values in
/// order, one a run that was appended (`-o FILE --append`), all of the one benchmark `perf stat`.
/// `duration_time` becomes step_time; other events keep their names, times in seconds, less is
/// better. Judged are times, cycles and instructions. With `-r` a line holds the mean of the runs,
/// one value. What was not counted and lines that are no JSON ("# started on ...") are passed over.
///
/// Throws UsageError with file:line for a line that is off this form, a value of no measurable
/// magnitude, counters of less than a run (-I, -A, --per-...), and where nothing was counted.
SampleSet read_perf_stat(std::string_view text, const std::string& filename);

}  // namespace perf::formats
