#pragma once

#include <string>

namespace perf::store {

/// What is read of a store that a stranger may have written, held to what our own writers keep to:
/// it is printed, and pasted into shells. Each throws Error.
void require_oid(const std::string& oid);
void require_run_id(const std::string& id);
void require_size(const std::string& size);

}  // namespace perf::store
