#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

#include "collector/build/build_cache.h"
#include "collector/build/build_lock.h"
#include "collector/process/temporary_folder.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// Nobody takes so long to remove a build.
constexpr std::chrono::hours kTrashAge{24};

struct KnownBuild {
  fs::path folder;
  fs::file_time_type used;
};

/// Whether a name is a build_key: nothing else under the root is ours to remove.
bool is_key(const std::string& name) {
  constexpr std::size_t kWidth = 33, kDash = 16;
  return name.size() == kWidth && name[kDash] == '-' &&
         name.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

/// Whether a name is that of a TemporaryFolder.
bool is_temporary(const std::string& name) {
  constexpr std::string_view kBegin = "perf-compare-";
  constexpr std::size_t kRandom = 6;
  return name.size() == kBegin.size() + kRandom && name.compare(0, kBegin.size(), kBegin) == 0;
}

/// The trash of runs that were killed while they emptied it.
void remove_old_trash(const fs::path& root) {
  std::error_code error;
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    if (!is_temporary(entry.path().filename().string()) || entry.is_symlink(error) ||
        !entry.is_directory(error)) {
      continue;
    }
    const fs::file_time_type used = entry.last_write_time(error);
    if (!error && fs::file_time_type::clock::now() - used > kTrashAge) {
      old.push_back(entry.path());
    }
  }
  for (const fs::path& folder : old) {
    const TemporaryFolder trash(root);
    fs::rename(folder, trash.path() / "trash", error);
  }
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
    builds.push_back({entry.path(), used});
  }
  std::sort(builds.begin(), builds.end(),
            [](const KnownBuild& a, const KnownBuild& b) { return a.used > b.used; });
  return builds;
}

bool remove_if_free(const fs::path& folder) {
  const fs::path lock_file = folder.string() + ".lock";
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

}  // namespace

void discard_build(const BuildRequest& request, const fs::path& root) {
  remove_if_free(root / build_key(request));
}

std::size_t prune_builds(const fs::path& root, std::size_t keep) {
  remove_old_trash(root);
  const std::vector<KnownBuild> builds = known_builds(root);
  std::size_t removed = 0;
  for (std::size_t i = keep; i < builds.size(); ++i) {
    removed += remove_if_free(builds[i].folder) ? 1 : 0;
  }
  return removed;
}

}  // namespace perf
