#pragma once

#include <string>
#include <vector>

#include "schema/sample_set.h"

namespace perf {

/// The whole text of a file, or of standard input for `-`: 64 MiB at most. Throws UsageError where
/// it cannot be opened or is larger, Error where the disk fails.
std::string read_input(const std::string& file);

/// The first 4 KiB of a file; empty where it cannot be opened. Throws Error where the disk fails.
std::string read_beginning(const std::string& file);

/// The samples of one session, from a file of any format that holds some.
SampleSet read_session(const std::string& file);

/// The sessions of a file in a foreign format; `-` is standard input. A folder is read where the
/// format knows one: of `criterion` what its benchmarks left in target/criterion, one session; of
/// `asv` the results of one machine, a session a file, with the benchmarks.json beside. Throws
/// UsageError for what cannot be read.
std::vector<ImportedSession> read_sessions(const std::string& format, const std::string& file);

}  // namespace perf
