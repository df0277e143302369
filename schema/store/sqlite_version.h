#pragma once

#include <string>

namespace perf::store {

/// Of the SQLite that this process runs with: "3.40.1".
std::string sqlite_version();

}  // namespace perf::store
