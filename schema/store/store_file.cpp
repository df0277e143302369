
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <system_error>

#include "schema/error.h"
#include "schema/files/descriptor.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;

/// Only into a folder just made: who deletes the file wants the store under version control.
void hide_from_git(const fs::path& folder) {
  const fs::path file = folder / ".gitignore";
  const Descriptor made =
      open_file(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  // None: somebody was quicker, or the folder is not writable, which opening the store will say.
  if (made && write(made.number(), "*\n", 2) != 2) {
    unlink(file.c_str());
  }
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  const bool made = make_durable_folder(folder, error);
  if (error) {
    throw Error("cannot create the store's folder (" + error.message() + ")", folder.string(),
                "create it by hand, or choose another place with --db FILE");
  }
  if (made && folder.filename() == kStoreFolder) {
    hide_from_git(folder);
  }
}

void refuse_link(const fs::path& path, const char* what) {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    throw Error(std::string(what) + " is a symbolic link", path.string(),
                "pass its target with --db FILE");
  }
}

}  // namespace

FileHeader read_header(const HeaderBytes& bytes) {
  const auto big_endian = [&bytes](std::size_t at) {
    return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U |
           std::uint32_t{bytes[at + 2]} << 8U | std::uint32_t{bytes[at + 3]};
  };
  FileHeader header;
  header.sqlite = std::memcmp(bytes.data(), "SQLite format 3", 16) == 0;
  header.user_version = big_endian(60);
  header.application_id = big_endian(68);
  return header;
}

fs::path place_of_store(const fs::path& file, bool create) {
  if (!file.has_filename() || file.filename() == "." || file.filename() == "..") {
    throw Error("invalid name of a store", file.string(), "pass a file with --db FILE");
  }
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error).lexically_normal();
  const fs::path folder = absolute.parent_path();
  if (folder.filename() == kStoreFolder) {
    refuse_link(folder, "the store's folder");
  }
  if (create && !fs::is_directory(folder, error)) {
    create_folder(folder);
  }
  const fs::path resolved = fs::canonical(folder, error);
  if (error) {
    throw Error("no such folder (" + error.message() + ")", folder.string(),
                "check the path given with --db FILE");
  }
  fs::path place = resolved / absolute.filename();
  refuse_link(place, "the store");
  const fs::file_status status = fs::symlink_status(place, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("the store is not a regular file", place.string(),
                "choose another file with --db FILE");
  }
  if (!create && !fs::exists(status)) {
    throw Error("no such store", place.string(),
                "measure something first, or choose another file with --db FILE");
  }
  return place;
}

}  // namespace perf::store
