#pragma once

#include <string>

#include "schema/sample_set.h"

namespace perf {

/// The whole text of a file, or of standard input for `-`. Throws UsageError where it cannot be
/// read.
std::string read_input(const std::string& file);

/// The samples of one session, from a file of any format that holds some.
SampleSet read_session(const std::string& file);

}  // namespace perf
