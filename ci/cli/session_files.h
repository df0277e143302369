#pragma once

#include <string>

#include "schema/sample_set.h"

namespace perf {

/// The whole text of a file, or of standard input for `-`: 64 MiB at most. Throws UsageError where
/// it cannot be opened or is larger, Error where the disk fails.
std::string read_input(const std::string& file);

/// The first 4 KiB of a file; empty where it cannot be opened. Throws Error where the disk fails.
std::string read_beginning(const std::string& file);

/// The samples of one session, from a file of any format that holds some.
SampleSet read_session(const std::string& file);

}  // namespace perf
