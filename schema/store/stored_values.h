#pragma once

#include <string>

namespace perf::store {

/// What is read of a store that a stranger may have written, held to what our own writers keep to:
/// it is printed, and pasted into shells. Each throws Error.
void require_oid(const std::string& oid);
void require_run_id(const std::string& id);
void require_size(const std::string& size);

/// Whether a line is one that we write to tell how a run is repeated: perf-compare with revisions
/// and with options that measure, quoted as we quote. People paste it into a shell; in a stranger's
/// store it could be any command.
bool is_reproduce_line(const std::string& line);

}  // namespace perf::store
