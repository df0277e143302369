#pragma once

#include <filesystem>

#include "schema/files/hold.h"
#include "schema/store/connection.h"

namespace perf::store {

/// Copies a store into the file `partial`, which must not be there, and brings it to the disk. Held
/// until the answer goes, so that nobody takes it for what a killed process left. On failure
/// nothing of it stays. Throws Error.
Hold copy_into_partial(Connection& connection, const std::filesystem::path& partial);

}  // namespace perf::store
