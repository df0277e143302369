#pragma once

#include <filesystem>

#include "schema/store/connection.h"
#include "schema/store/store.h"

namespace perf::store {

/// Writes a compact copy, whole or not at all. Throws UsageError where something stands at `file`
/// or its folder is not there, Error where it cannot be written.
ExportResult export_to(Connection& connection, const std::filesystem::path& file);

}  // namespace perf::store
