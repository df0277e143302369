#pragma once

#include <filesystem>
#include <system_error>

#include "schema/files/hold.h"
#include "schema/store/connection.h"

namespace perf::store {

/// Waits until what a file holds, or the names in a folder, would survive a power cut; a file that
/// was created, renamed or removed does so only once its folder was synced, too. Throws Error where
/// the disk fails; file systems that cannot sync a folder are passed over in silence.
void sync_to_disk(const std::filesystem::path& path);

/// Makes a folder that is not there, and those above it, each certain to stay; true if it was made.
/// Sets `error` where one cannot be made.
bool make_durable_folder(const std::filesystem::path& folder, std::error_code& error);

/// Copies a store into the file `partial`, which must not be there, and brings it to the disk. Held
/// until the answer goes, so that nobody takes it for what a killed process left. On failure
/// nothing of it stays. Throws Error.
Hold copy_into_partial(Connection& connection, const std::filesystem::path& partial);

}  // namespace perf::store
