#pragma once

#include <cstddef>
#include <string>

namespace perf::workloads {

inline constexpr double kGibi = 1024.0 * 1024 * 1024;
/// Bytes as "12.3 GiB".
std::string in_gib(double bytes);

/// Throws Error, with both figures, if `what` needs more bytes than the system has available: it is
/// better refused before it starts than killed half-way.
void require_memory(std::size_t bytes, const std::string& what);

/// Bytes available without swapping, within what a container or a job may take; 0 where the system
/// does not tell.
std::size_t available_memory();
/// Bytes that the machine has; 0 where the system does not tell.
std::size_t total_memory();

/// Bytes of this process that lie in memory: now, and at most so far. 0 where the system does not
/// tell.
std::size_t resident_memory();
std::size_t peak_resident_memory();

/// Keeps freed memory in the process: libraries that allocate workspace in every call (Eigen's
/// products) would otherwise have the kernel map and clear it every time.
void keep_freed_memory();
/// Gives what was kept back to the system: between workloads that share a process.
void give_back_freed_memory();

}  // namespace perf::workloads
