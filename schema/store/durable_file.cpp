#include "schema/store/durable_file.h"

#include <cerrno>
#include <cstring>

#include "schema/error.h"
#include "schema/files/descriptor.h"

namespace perf::store {

void sync_to_disk(const std::filesystem::path& path) {
  const Descriptor opened =
      open_file(path, O_RDONLY | O_CLOEXEC);  // none: a folder that may be written but not read
  const int reason = !opened || fsync(opened.number()) == 0 ? 0 : errno;
  if (reason == EIO || reason == ENOSPC || reason == EDQUOT) {
    throw Error("the disk could not take it", path.string() + ": " + std::strerror(reason),
                "check the disk, and free some space");
  }
}

bool make_durable_folder(const std::filesystem::path& folder, std::error_code& error) {
  if (std::filesystem::is_directory(folder, error)) {
    return false;
  }
  const std::filesystem::path parent = folder.parent_path();
  error.clear();
  if (!parent.empty() && parent != folder) {
    make_durable_folder(parent, error);
  }
  const bool made = !error && std::filesystem::create_directory(folder, error);
  if (made) {
    sync_to_disk(parent);
  }
  return made;
}

}  // namespace perf::store
