#pragma once

#include <filesystem>
#include <functional>
#include <memory>

namespace perf {

/// An exclusive flock(2) on a file, held as long as the answer lives; the kernel gives it back when
/// the process dies. On file systems without locks there is none to hold, and runs are on their
/// own.
using BuildLock = std::shared_ptr<const void>;

/// Takes the lock if nobody has it; null when somebody has. Throws Error where the file cannot be
/// made.
BuildLock try_lock(const std::filesystem::path& file);

/// Takes the lock, calling `waiting` once when somebody has it; null when `interrupted` says true
/// before it is free.
BuildLock wait_for_lock(const std::filesystem::path& file, const std::function<void()>& waiting,
                        const std::function<bool()>& interrupted);

}  // namespace perf
