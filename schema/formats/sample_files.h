#pragma once

#include <string>
#include <string_view>

#include "schema/sample_set.h"

namespace perf::formats {

/// What a text is that holds samples, by its content.
enum class SampleFormat { go, google_benchmark, report, judge_cases, unknown_json };

/// JSON by its first character and its top-level names; any other text is Go's.
SampleFormat format_of(std::string_view text);

/// Reads a file of one session, in whichever of the formats it is: Go benchmark text, Google
/// Benchmark JSON, or a report. Throws UsageError, as their readers do, and for other JSON.
SampleSet read_samples(std::string_view text, const std::string& filename);

}  // namespace perf::formats
