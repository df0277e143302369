#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schema/store/connection.h"
#include "schema/store/store.h"

namespace perf::store {

/// Says that a run came from another tool's file; wants a transaction around it.
void insert_imported(Connection& connection, std::int64_t run, const ImportedFrom& from);

/// The id of the run that was imported under this digest: the first of them, where merged stores
/// brought several.
std::optional<std::string> find_imported(Connection& connection, const std::string& digest);

}  // namespace perf::store
