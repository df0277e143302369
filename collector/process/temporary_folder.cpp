#include "collector/process/temporary_folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "schema/error.h"
#include "schema/files/descriptor.h"

namespace perf {
namespace {

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  DIR* listing = fdopendir(dup(folder));
  if (listing == nullptr) {
    return names;
  }
  rewinddir(listing);
  while (const dirent* entry = readdir(listing)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") {
      names.push_back(name);
    }
  }
  closedir(listing);
  return names;
}

/// Removes a file or an empty folder; false for a folder that is not empty.
bool remove_entry(int folder, const std::string& name) {
  return unlinkat(folder, name.c_str(), 0) == 0 || errno == ENOENT ||
         unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0;
}

/// Opens a subfolder with the permission to empty it; none on failure.
Descriptor open_subfolder(int folder, const std::string& name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  struct stat status {};
  if (fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISDIR(status.st_mode)) {
    return {};
  }
  fchmodat(folder, name.c_str(), 0700, 0);
  return Descriptor(openat(folder, name.c_str(), kFlags));
}

/// Empties `top` without recursion: files of a subfolder are removed, its own subfolders are moved
/// to the top under new names and emptied there. Depth needs neither stack nor descriptors.
void empty_folder(int top) {
  unsigned long moved = 0;
  bool progress = true;
  while (progress) {
    progress = false;
    for (const std::string& name : names_in(top)) {
      if (remove_entry(top, name)) {
        progress = true;
        continue;
      }
      const Descriptor folder = open_subfolder(top, name);
      if (!folder) {
        continue;
      }
      for (const std::string& inner : names_in(folder.number())) {
        if (!remove_entry(folder.number(), inner)) {
          fchmodat(folder.number(), inner.c_str(), 0700, 0);  // moving a folder writes its ".."
          const std::string fresh = ".moved-" + std::to_string(moved++);
          progress = renameat(folder.number(), inner.c_str(), top, fresh.c_str()) == 0 || progress;
        }
      }
      progress = remove_entry(top, name) || progress;
    }
  }
}

/// The name of temporary folders.
constexpr std::string_view kBegin = "perf-compare-tmp-";
constexpr std::string_view kRandom = "XXXXXX";

bool is_temporary(const std::string& name) {
  return name.size() == kBegin.size() + kRandom.size() && name.starts_with(kBegin) &&
         std::all_of(name.begin() + kBegin.size(), name.end(),
                     [](unsigned char letter) { return std::isalnum(letter) != 0; });
}

std::filesystem::path place_of(const std::filesystem::path& parent) {
  if (!parent.empty()) {
    return parent;
  }
  const char* chosen = std::getenv("TMPDIR");
  return chosen != nullptr && chosen[0] == '/' ? chosen : "/tmp";
}

void remove_folder(const std::filesystem::path& path) {
  chmod(path.c_str(), 0700);
  if (const Descriptor folder = open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
    empty_folder(folder.number());
  }
  rmdir(path.c_str());
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) {
  const std::filesystem::path place = place_of(parent);
  do {
    std::string name = (place / kBegin).string() + std::string(kRandom);
    if (mkdtemp(name.data()) == nullptr) {
      throw Error("cannot make a temporary folder", place.string() + ": " + std::strerror(errno),
                  "set TMPDIR to a folder with space that you may write to");
    }
    path_ = name;
    hold_ = Hold(path_);
  } while (hold_.is_lost());
}

TemporaryFolder::~TemporaryFolder() {
  remove_folder(path_);
}

void remove_abandoned_folders(const std::filesystem::path& parent) {
  sweep(place_of(parent), is_temporary, remove_folder);
}

}  // namespace perf
