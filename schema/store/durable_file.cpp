#include <cerrno>
#include <cstring>

#include "schema/error.h"
#include "schema/files/descriptor.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;

/// An empty file, made by SQLite, which will copy into it.
Hold make_empty(const fs::path& file) {
  Hold hold;
  do {
    const Connection maker(file, Connection::Access::read_write);
    hold = Hold(file);
  } while (hold.is_lost());
  return hold;
}

}  // namespace

void sync_to_disk(const fs::path& path) {
  const Descriptor opened =
      open_file(path, O_RDONLY | O_CLOEXEC);  // none: a folder that may be written but not read
  const int reason = !opened || fsync(opened.number()) == 0 ? 0 : errno;
  if (reason == EIO || reason == ENOSPC || reason == EDQUOT) {
    throw Error("cannot write to the disk", path.string() + ": " + std::strerror(reason),
                "check the disk, and free some space");
  }
}

bool make_durable_folder(const fs::path& folder, std::error_code& error) {
  if (fs::is_directory(folder, error)) {
    return false;
  }
  const fs::path parent = folder.parent_path();
  error.clear();
  if (!parent.empty() && parent != folder) {
    make_durable_folder(parent, error);
  }
  const bool made = !error && fs::create_directory(folder, error);
  if (made) {
    sync_to_disk(parent);
  }
  return made;
}

Hold copy_into_partial(Connection& connection, const fs::path& partial) {
  std::error_code ignored;
  fs::remove(partial, ignored);
  try {
    Hold hold = make_empty(partial);
    connection.run("VACUUM INTO ?1", partial.string());
    sync_to_disk(partial);
    return hold;
  } catch (...) {
    fs::remove(partial, ignored);
    fs::remove(partial.string() + "-journal", ignored);
    throw;
  }
}

}  // namespace perf::store
