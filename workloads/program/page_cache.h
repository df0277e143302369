#pragma once

#include <string>

namespace perf::workloads {

/// Share of a file that lies in memory, in the system's page cache, 0 to 1. Throws
/// std::runtime_error where the system does not tell.
double cached_share(const std::string& path);

/// Has the system forget what it keeps of a file that nobody maps, so that it is read from the disk
/// the next time. Throws Error where more than a hundredth stays, as on a file system in memory.
void drop_from_page_cache(const std::string& path);

}  // namespace perf::workloads
