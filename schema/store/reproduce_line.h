#pragma once

#include <string>

namespace perf::store {

/// Whether a line is one that we write to tell how a run is repeated: perf-compare with revisions
/// and with options that measure, quoted as we quote. People paste it into a shell; in a stranger's
/// store it could be any command.
bool is_reproduce_line(const std::string& line);

}  // namespace perf::store
