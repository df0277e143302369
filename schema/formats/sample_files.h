#pragma once

#include <string>
#include <string_view>

#include "schema/sample_set.h"

namespace perf::formats {

/// What a text is that holds samples, by its content.
enum class SampleFormat {
  go,
  google_benchmark,
  hyperfine,
  pytest_benchmark,
  criterion,
  asv,
  report,
  judge_cases,
  perf_stat,
  action_data,
  unknown_json
};

/// JSON by its first character and its top-level names, where it is JSON Lines by those of its
/// first line; text with lines of `cargo bench` is criterion's, one that begins so perf stat's or
/// github-action-benchmark's; any other text is Go's.
SampleFormat format_of(std::string_view text);

/// Whether a text of that format is one session: not cases, and not what is no known JSON. Any text
/// is Go's: of it, one that has results.
bool is_session(SampleFormat format, std::string_view text);

/// Reads a file of one session, in whichever of the formats it is; of the history that
/// github-action-benchmark keeps, the newest entry of each suite. Throws UsageError, as their
/// readers do, and for other JSON.
SampleSet read_samples(std::string_view text, const std::string& filename);

}  // namespace perf::formats
