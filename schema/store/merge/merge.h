#pragma once

#include <filesystem>

#include "schema/store/connection.h"
#include "schema/store/store.h"

namespace perf::store {

/// Takes the runs of another store that are not here yet, and what belongs to runs that were not
/// finished when they were taken, in one transaction. Throws Error, and has then changed nothing.
MergeResult merge(Connection& connection, const std::filesystem::path& file);

}  // namespace perf::store
