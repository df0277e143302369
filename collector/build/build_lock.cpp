#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "collector/build/build_cache.h"
#include "schema/error.h"
#include "schema/files/descriptor.h"
#include "schema/files/hold.h"

namespace perf {
namespace {

/// The interval of polling: flock(2) itself would not notice an interruption.
constexpr std::chrono::milliseconds kRetry{100};

}  // namespace

BuildLock try_lock(const std::filesystem::path& file) {
  while (true) {
    if (!open_file(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
      throw Error("cannot create a lock in the build cache",
                  file.string() + ": " + std::strerror(errno),
                  "set XDG_CACHE_HOME to a folder that you may write to");
    }
    Hold hold(file);
    if (hold.is_taken()) {
      return nullptr;
    }
    if (!hold.is_lost()) {  // else prune_builds has removed it
      return std::make_shared<Hold>(std::move(hold));
    }
  }
}

BuildLock wait_for_lock(const std::filesystem::path& file, const std::function<void()>& waiting,
                        const std::function<bool()>& interrupted) {
  BuildLock lock = try_lock(file);
  if (!lock && waiting) {
    waiting();
  }
  while (!lock && !(interrupted && interrupted())) {
    std::this_thread::sleep_for(kRetry);
    lock = try_lock(file);
  }
  return lock;
}

}  // namespace perf
