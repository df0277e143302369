#pragma once

#include <string>
#include <vector>

#include "schema/imported.h"

namespace perf {

/// The sessions of a file in a foreign format; `-` is standard input. A folder is read where the
/// format knows one: of `criterion` what its benchmarks left in target/criterion, one session; of
/// `asv` the results of one machine, a session a file, with the benchmarks.json beside. Throws
/// UsageError for what cannot be read.
std::vector<ImportedSession> read_sessions(const std::string& format, const std::string& file);

}  // namespace perf
