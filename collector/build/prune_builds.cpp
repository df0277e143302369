#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/build/build_cache.h"
#include "collector/process/temporary_folder.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

struct KnownBuild {
  fs::path folder;
  fs::file_time_type used;
  fs::path clone;  ///< that it was built for; empty where the build did not get so far
};

using Clock = fs::file_time_type::clock;

/// Whether a time is in the future, because the clock was set back.
bool is_ahead(fs::file_time_type time) {
  constexpr std::chrono::hours kSlack{1};  // clocks of machines in a network differ
  return time > Clock::now() + kSlack;
}

constexpr std::string_view kLock = ".lock";

/// Whether a name is a build_key: nothing else under the root may be removed.
bool is_key(const std::string& name) {
  constexpr std::size_t kWidth = 33, kDash = 16;
  return name.size() == kWidth && name[kDash] == '-' &&
         name.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

std::vector<KnownBuild> known_builds(const fs::path& root) {
  std::vector<KnownBuild> builds;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    if (!is_key(entry.path().filename().string()) || !entry.is_directory(error)) {
      continue;
    }
    fs::file_time_type used = fs::last_write_time(entry.path() / "complete", error);
    if (error) {
      used = fs::last_write_time(entry.path(), error);
    }
    builds.push_back({entry.path(), used, content_of(entry.path() / "clone")});
    // Else it would be the newest of all until the clock catches up, and all others be removed.
    if (is_ahead(used)) {
      fs::last_write_time(entry.path() / "complete", Clock::now(), error);
    }
  }
  std::ranges::sort(builds, std::greater(), &KnownBuild::used);
  return builds;
}

bool remove_if_free(const fs::path& folder) {
  const fs::path lock_file = folder.string() + std::string(kLock);
  const BuildLock lock = try_lock(lock_file);
  if (!lock) {
    return false;
  }
  std::error_code error;
  const TemporaryFolder trash(folder.parent_path());
  fs::rename(folder, trash.path() / "build", error);
  fs::remove(lock_file, error);
  return !error;
}

/// Removes the locks of runs that were killed before they created the folder.
void remove_idle_locks(const fs::path& root) {
  std::error_code error;
  std::vector<fs::path> idle;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    const fs::path folder = root / entry.path().stem();
    if (entry.path().extension() == kLock && is_key(folder.filename().string()) &&
        !fs::exists(folder, error)) {
      idle.push_back(entry.path());
    }
  }
  for (const fs::path& lock_file : idle) {
    const BuildLock lock = try_lock(lock_file);
    if (lock && !fs::exists(root / lock_file.stem(), error)) {
      fs::remove(lock_file, error);
    }
  }
}

}  // namespace

void discard_build(const BuildRequest& request, const fs::path& root) {
  remove_if_free(root / build_key(request));
}

std::size_t prune_builds(const fs::path& root, const fs::path& clone, std::size_t keep) {
  remove_abandoned_folders(root);
  remove_idle_locks(root);
  std::size_t removed = 0, seen = 0;
  for (const KnownBuild& build : known_builds(root)) {
    std::error_code error;
    if (!fs::exists(build.clone, error) && !error) {
      remove_if_free(build.folder);
    } else if (build.clone == clone && ++seen > keep) {
      removed += remove_if_free(build.folder) ? 1 : 0;
    }
  }
  return removed;
}

}  // namespace perf
