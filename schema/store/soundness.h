#pragma once

#include <string>
#include <vector>

#include "schema/store/connection.h"

namespace perf::store {

/// Runs PRAGMA quick_check and foreign_key_check; returns what they complain of, empty when sound.
/// Reads the whole file; throws Error where the disk does not let it.
std::vector<std::string> problems(Connection& connection);

/// Runs PRAGMA integrity_check, which holds indexes against their tables, too. Throws Damaged with
/// its first complaint, and Error where the disk fails.
void require_integrity(Connection& connection);

}  // namespace perf::store
