#include "collector/build/build_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "schema/error.h"
#include "schema/files/open_file.h"

namespace perf {
namespace {

/// How often a waiting run looks again: flock(2) itself would not notice an interruption.
constexpr std::chrono::milliseconds kRetry{100};

struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() { close(number); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

/// Whether the open file still has its name: pruning removes lock files.
bool still_named(int descriptor, const std::filesystem::path& file) {
  struct stat held {};
  struct stat named {};
  return fstat(descriptor, &held) == 0 && lstat(file.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

BuildLock try_lock(const std::filesystem::path& file) {
  while (true) {
    const int opened = open_file(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (opened < 0) {
      throw Error("cannot make a lock in the build cache",
                  file.string() + ": " + std::strerror(errno),
                  "set XDG_CACHE_HOME to a folder that you may write to");
    }
    auto descriptor = std::make_shared<Descriptor>(opened);
    if (flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      return nullptr;
    }
    if (still_named(opened, file)) {
      return descriptor;
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
