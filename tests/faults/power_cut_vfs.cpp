#include "tests/faults/power_cut_vfs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <map>
#include <memory>
#include <string>

#include "schema/store/connection.h"

namespace perf::test {
namespace {

struct Machine {
  DiskModel disk;
  std::string root;
  std::int64_t at;
  Sync sync;
  std::int64_t calls = 0;
  bool off = false;
};

std::unique_ptr<Machine> machine;
std::map<int, std::string> open_files;  // those that are followed

bool followed(const std::string& path) {
  return machine && path.compare(0, machine->root.size() + 1, machine->root + "/") == 0 &&
         path.find("/merge-") == std::string::npos;
}

enum class Power { on, goes, off };

/// What becomes of the next call.
Power next_call() {
  if (machine->off) {
    return Power::off;
  }
  machine->off = machine->calls++ == machine->at;
  return machine->off ? Power::goes : Power::on;
}

int fail() {
  errno = EIO;
  return -1;
}

/// Does to the model, and to the files, what a call asks for.
template <class Note, class Do>
auto call(Note note, Do really) -> decltype(really()) {
  const Power power = next_call();
  if (power != Power::off) {
    note();
  }
  return power == Power::on ? really() : static_cast<decltype(really())>(fail());
}

bool exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

// ---- what SQLite's unix VFS calls

int open_file(const char* name, int flags, int mode) {
  const std::string path = name;
  const auto really = [&] { return open(name, flags, mode); };
  int handle = -1;
  if (followed(path) && (flags & O_CREAT) != 0 && !exists(path)) {
    handle = call([&] { machine->disk.create(path); }, really);
  } else {
    handle = really();
  }
  if (handle >= 0 && followed(path) && machine->disk.knows(path) &&
      (flags & O_ACCMODE) != O_RDONLY) {
    open_files[handle] = path;
  }
  return handle;
}

int close_file(int handle) {
  open_files.erase(handle);
  return close(handle);
}

bool is_followed(int handle) {
  const auto found = open_files.find(handle);
  return machine && found != open_files.end() && machine->disk.knows(found->second);
}

ssize_t write_at(int handle, const void* bytes, size_t length, off_t offset) {
  const auto really = [&] { return pwrite(handle, bytes, length, offset); };
  if (!is_followed(handle)) {
    return really();
  }
  return call(
      [&] {
        machine->disk.write(open_files[handle], offset, {static_cast<const char*>(bytes), length});
      },
      really);
}

ssize_t write_here(int handle, const void* bytes, size_t length) {
  if (!is_followed(handle)) {
    return write(handle, bytes, length);
  }
  const off_t offset = lseek(handle, 0, SEEK_CUR);
  const ssize_t written = write_at(handle, bytes, length, offset);
  if (written > 0) {
    lseek(handle, offset + written, SEEK_SET);
  }
  return written;
}

int resize_file(int handle, off_t size) {
  const auto really = [&] { return ftruncate(handle, size); };
  return is_followed(handle) ? call([&] { machine->disk.resize(open_files[handle], size); }, really)
                             : really();
}

int remove_file(const char* name) {
  const std::string path = name;
  const auto really = [&] { return unlink(name); };
  return followed(path) && machine->disk.knows(path)
             ? call([&] { machine->disk.remove(path); }, really)
             : really();
}

/// Once, before the first store is opened: after SQLite was told where to log, and started.
void stand_below_sqlite() {
  static const bool done = [] {
    const store::Connection starts_sqlite;
    sqlite3_vfs* vfs = sqlite3_vfs_find("unix");
    const auto replace = [vfs](const char* name, auto* function) {
      if (vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(function)) !=
          SQLITE_OK) {
        abort();
      }
    };
    replace("open", open_file);
    replace("close", close_file);
    replace("pwrite", write_at);
    replace("pwrite64", write_at);
    replace("write", write_here);
    replace("ftruncate", resize_file);
    replace("unlink", remove_file);
    return true;
  }();
  static_cast<void>(done);
}

std::string path_of(int handle) {
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(handle);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  return length < 0 ? "" : std::string(path.data(), static_cast<std::size_t>(length));
}

int sync_handle(int handle) {
  const std::string path = path_of(handle);
  if (!machine || (path != machine->root && !followed(path))) {
    return 0;
  }
  const Power power = next_call();
  if (power != Power::on) {
    return fail();
  }
  if (machine->sync == Sync::ignored) {
    return 0;
  }
  if (machine->disk.knows(path)) {
    machine->disk.sync_file(path);
  } else {
    machine->disk.sync_folder(path);
  }
  return 0;
}

int rename_file(const char* from, const char* to, unsigned flags) {
  const auto really = [&] {
    return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags));
  };
  return followed(from) && machine->disk.knows(from)
             ? call([&] { machine->disk.rename(from, to); }, really)
             : really();
}

}  // namespace

PowerCut::PowerCut(const std::filesystem::path& root, std::int64_t at, Sync sync) {
  stand_below_sqlite();
  machine = std::make_unique<Machine>(Machine{DiskModel(root), root.string(), at, sync});
}

PowerCut::~PowerCut() {
  machine.reset();
}

std::int64_t PowerCut::calls() const {
  return machine->calls;
}

bool PowerCut::happened() const {
  return machine->off;
}

const DiskModel& PowerCut::disk() const {
  return machine->disk;
}

}  // namespace perf::test

// ---- what the store calls itself, and SQLite past its VFS: found here before the C library's

extern "C" {

int fsync(int handle) {
  return perf::test::sync_handle(handle);
}

int fdatasync(int handle) {
  return perf::test::sync_handle(handle);
}

int rename(const char* from, const char* to) noexcept {
  return perf::test::rename_file(from, to, 0);
}

int renameat2(int, const char* from, int, const char* to, unsigned flags) noexcept {
  return perf::test::rename_file(from, to, flags);
}

int remove(const char* name) noexcept {
  const int removed = perf::test::remove_file(name);
  return removed != 0 && errno == EISDIR ? rmdir(name) : removed;
}

int mkdir(const char* name, mode_t mode) noexcept {
  using namespace perf::test;
  const auto really = [&] { return static_cast<int>(syscall(SYS_mkdir, name, mode)); };
  return followed(name) && !exists(name) ? call([&] { machine->disk.make_folder(name); }, really)
                                         : really();
}

}  // extern "C"
