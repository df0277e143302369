#pragma once

#include <filesystem>
#include <system_error>

namespace perf::store {

/// Waits until what a file holds, or the names in a folder, would survive a power cut; a file that
/// was created, renamed or removed does so only once its folder was synced, too. Throws Error where
/// the disk fails; file systems that cannot sync a folder are passed over in silence.
void sync_to_disk(const std::filesystem::path& path);

/// Makes a folder that is not there, and those above it, each certain to stay; true if it was made.
/// Sets `error` where one cannot be made.
bool make_durable_folder(const std::filesystem::path& folder, std::error_code& error);

}  // namespace perf::store
