#pragma once

#include <string>
#include <string_view>

#include "schema/sample_set.h"

namespace perf::formats {

/// Whether a text has a line `test NAME ... bench: `.
bool is_bencher_text(std::string_view text);

/// Reads the second form of read_criterion (schema/formats/criterion.h).
SampleSet read_bencher_text(std::string_view text, const std::string& filename);

}  // namespace perf::formats
