#include "schema/store/checked_pages.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "schema/store/page_sum.h"

namespace perf::store {
namespace {

thread_local std::uint32_t damaged_page = 0;
thread_local std::uint64_t reads_failed = 0;

/// Behind it, in the same piece of memory, lies the file of the VFS in front of which we stand.
struct CheckedFile {
  sqlite3_file base;
  bool is_database;         ///< or a journal, whose records have sums of their own
  std::uint32_t page_size;  ///< B, as the header on disk said when it was last read; 0: unknown
  bool has_room;            ///< so did it: pages leave kSumBytes
  bool counts;              ///< page 1 had its sum when it was last read
  bool is_new;              ///< the file was empty when this writing began
  bool has_begun;           ///< this hold of a lock has written
  bool undoes;              ///< the writes are pages of a dead writer's journal, sums and all
  bool is_trusted;          ///< see trust_page_one()
  int lock;
};

CheckedFile& checked(sqlite3_file* file) {
  return *reinterpret_cast<CheckedFile*>(file);
}
sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<CheckedFile*>(file) + 1);
}
sqlite3_vfs* real(sqlite3_vfs* vfs) {
  return static_cast<sqlite3_vfs*>(vfs->pAppData);
}

// ---- What a header says (fileformat2.html, section 1.3)

constexpr int kHeaderBytes = 100;

std::uint32_t page_size_in(const unsigned char* header) {
  const std::uint32_t size = static_cast<std::uint32_t>(header[16]) << 8U | header[17];
  return size == 1 ? 65536 : size;
}

bool has_room_in(const unsigned char* header) {
  return header[20] == kSumBytes;
}

/// A write-ahead log is written to the file without page 1, so that it would tell of nobody.
bool has_rollback_journal(const unsigned char* header) {
  return header[18] == 1 && header[19] == 1;
}

void learn(CheckedFile& file, const unsigned char* header) {
  const bool sqlite = std::memcmp(header, "SQLite format 3", 16) == 0;
  file.page_size = sqlite ? page_size_in(header) : 0;
  file.has_room = sqlite && has_room_in(header);
}

/// Where the disk fails to read, SQLite's own VFS answers what it takes for a damaged file.
int read_real(sqlite3_file* base, void* to, int amount, sqlite3_int64 at) {
  const int status = real(base)->pMethods->xRead(real(base), to, amount, at);
  if (status != SQLITE_OK && status != SQLITE_IOERR_SHORT_READ) {
    ++reads_failed;
  }
  return status == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : status;
}

/// Whether page 1 on disk has its sum, into `counts`; the answer is SQLite's of reading it.
int look_at_page_one(sqlite3_file* file, std::uint32_t size, bool& counts) {
  std::vector<unsigned char> page(size);
  const int status = read_real(file, page.data(), static_cast<int>(size), 0);
  counts = status == SQLITE_OK && page_size_in(page.data()) == size && has_room_in(page.data()) &&
           has_rollback_journal(page.data()) && has_sum(page.data(), size, 1);
  return status == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : status;
}

bool is_page(const CheckedFile& file, int amount, sqlite3_int64 at) {
  return file.page_size != 0 && amount == static_cast<int>(file.page_size) && at % amount == 0;
}

std::uint32_t number_of(int amount, sqlite3_int64 at) {
  return static_cast<std::uint32_t>(at / amount) + 1;
}

// ---- Reading and writing

int read_checked(sqlite3_file* base, void* to, int amount, sqlite3_int64 at) {
  const int status = read_real(base, to, amount, at);
  CheckedFile& file = checked(base);
  const auto* bytes = static_cast<const unsigned char*>(to);
  if (status != SQLITE_OK || !file.is_database) {
    return status;
  }
  if (at == 0 && amount >= kHeaderBytes) {
    learn(file, bytes);
  }
  if (!file.has_room || !is_page(file, amount, at)) {
    return SQLITE_OK;
  }
  const std::uint32_t page = number_of(amount, at);
  const bool sound = has_sum(bytes, file.page_size, page);
  if (page == 1) {
    file.counts = sound && has_rollback_journal(bytes);
    return SQLITE_OK;
  }
  // Somebody else may have written since page 1 was read.
  if (sound || !file.counts) {
    return SQLITE_OK;
  }
  bool counts = false;
  if (const int failed = look_at_page_one(base, file.page_size, counts)) {
    return failed;
  }
  file.counts = counts;
  damaged_page = page;
  return file.counts ? SQLITE_IOERR_DATA : SQLITE_OK;
}

/// Whether pages leave room is what the file on disk says before its first write: the journal has
/// pages of that kind, and undoing must not write into their content. In a new file they do.
int begin_writing(sqlite3_file* base) {
  CheckedFile& file = checked(base);
  sqlite3_int64 size = 0;
  if (const int failed = real(base)->pMethods->xFileSize(real(base), &size)) {
    return failed;
  }
  std::array<unsigned char, kHeaderBytes> header{};
  const int status = size == 0 ? SQLITE_OK : read_real(base, header.data(), kHeaderBytes, 0);
  if (status != SQLITE_OK && status != SQLITE_IOERR_SHORT_READ) {
    return status;
  }
  file.has_begun = true;
  file.is_new = size == 0;
  if (file.is_new) {
    file.has_room = true;
  } else {
    learn(file, header.data());
  }
  return SQLITE_OK;
}

int write_checked(sqlite3_file* base, const void* from, int amount, sqlite3_int64 at) {
  CheckedFile& file = checked(base);
  if (!file.is_database) {
    return real(base)->pMethods->xWrite(real(base), from, amount, at);
  }
  if (!file.has_begun) {
    if (const int failed = begin_writing(base)) {
      return failed;
    }
  }
  if (file.is_new) {
    file.page_size = static_cast<std::uint32_t>(amount);
  }
  if (file.has_room && !file.undoes && is_page(file, amount, at)) {
    // The page is the pager's, and its end ours: SQLite's own extension writes there as well.
    auto* bytes = static_cast<unsigned char*>(const_cast<void*>(from));
    const std::uint32_t page = number_of(amount, at);
    if (page == 1 && !has_room_in(bytes)) {
      return SQLITE_IOERR_WRITE;  // sums would have been written into what is content
    }
    bool counts = page != 1 || file.is_new || file.is_trusted;
    if (!counts) {
      if (const int failed = look_at_page_one(base, file.page_size, counts)) {
        return failed;
      }
    }
    if (page != 1 || (counts && has_rollback_journal(bytes))) {
      write_sum(bytes, file.page_size, page);
    } else {
      std::memset(bytes + amount - kSumBytes, 0, kSumBytes);
    }
  }
  return real(base)->pMethods->xWrite(real(base), from, amount, at);
}

// ---- Locks

int lock_checked(sqlite3_file* base, int level) {
  const int status = real(base)->pMethods->xLock(real(base), level);
  CheckedFile& file = checked(base);
  if (status == SQLITE_OK && level > file.lock) {
    // Who writes reserves first; who undoes what a dead writer left excludes everybody at once.
    file.undoes = level == SQLITE_LOCK_EXCLUSIVE && file.lock < SQLITE_LOCK_RESERVED;
    file.lock = level;
  }
  return status;
}

int unlock_checked(sqlite3_file* base, int level) {
  CheckedFile& file = checked(base);
  if (level <= SQLITE_LOCK_SHARED) {
    file.undoes = false;
    file.has_begun = false;
  }
  file.lock = std::min(file.lock, level);
  return real(base)->pMethods->xUnlock(real(base), level);
}

// ---- The rest is the other file's business

int close_checked(sqlite3_file* base) {
  return real(base)->pMethods->xClose(real(base));
}
int truncate_checked(sqlite3_file* base, sqlite3_int64 size) {
  return real(base)->pMethods->xTruncate(real(base), size);
}
int sync_checked(sqlite3_file* base, int flags) {
  return real(base)->pMethods->xSync(real(base), flags);
}
int size_checked(sqlite3_file* base, sqlite3_int64* size) {
  return real(base)->pMethods->xFileSize(real(base), size);
}
int check_reserved(sqlite3_file* base, int* result) {
  return real(base)->pMethods->xCheckReservedLock(real(base), result);
}
int control_checked(sqlite3_file* base, int operation, void* argument) {
  return real(base)->pMethods->xFileControl(real(base), operation, argument);
}
int sector_checked(sqlite3_file* base) {
  return real(base)->pMethods->xSectorSize(real(base));
}
int device_checked(sqlite3_file* base) {
  return real(base)->pMethods->xDeviceCharacteristics(real(base));
}
int map_shared(sqlite3_file* base, int region, int size, int extend, void volatile** to) {
  return real(base)->pMethods->xShmMap(real(base), region, size, extend, to);
}
int lock_shared(sqlite3_file* base, int offset, int count, int flags) {
  return real(base)->pMethods->xShmLock(real(base), offset, count, flags);
}
void barrier_shared(sqlite3_file* base) {
  real(base)->pMethods->xShmBarrier(real(base));
}
int unmap_shared(sqlite3_file* base, int remove) {
  return real(base)->pMethods->xShmUnmap(real(base), remove);
}
/// Nothing is mapped: every page comes through read_checked().
int fetch_nothing(sqlite3_file*, sqlite3_int64, int, void** to) {
  *to = nullptr;
  return SQLITE_OK;
}
int unfetch_nothing(sqlite3_file*, sqlite3_int64, void*) {
  return SQLITE_OK;
}

sqlite3_io_methods methods_of_version(int version) {
  return {version,         close_checked,  read_checked,   write_checked,  truncate_checked,
          sync_checked,    size_checked,   lock_checked,   unlock_checked, check_reserved,
          control_checked, sector_checked, device_checked, map_shared,     lock_shared,
          barrier_shared,  unmap_shared,   fetch_nothing,  unfetch_nothing};
}

int open_checked(sqlite3_vfs* vfs, const char* name, sqlite3_file* base, int flags, int* out) {
  static const std::array<sqlite3_io_methods, 3> methods{
      methods_of_version(1), methods_of_version(2), methods_of_version(3)};
  if ((flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL)) == 0) {
    return real(vfs)->xOpen(real(vfs), name, base, flags, out);
  }
  checked(base) = CheckedFile{};
  checked(base).is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  real(base)->pMethods = nullptr;
  const int status = real(vfs)->xOpen(real(vfs), name, real(base), flags, out);
  if (real(base)->pMethods != nullptr) {
    const int version = std::clamp(real(base)->pMethods->iVersion, 1, 3);
    base->pMethods = &methods[static_cast<std::size_t>(version - 1)];
  }
  return status;
}

int delete_file(sqlite3_vfs* vfs, const char* name, int sync) {
  return real(vfs)->xDelete(real(vfs), name, sync);
}
int access_file(sqlite3_vfs* vfs, const char* name, int flags, int* result) {
  return real(vfs)->xAccess(real(vfs), name, flags, result);
}
int full_path(sqlite3_vfs* vfs, const char* name, int size, char* to) {
  return real(vfs)->xFullPathname(real(vfs), name, size, to);
}
int random_bytes(sqlite3_vfs* vfs, int size, char* to) {
  return real(vfs)->xRandomness(real(vfs), size, to);
}
int sleep_microseconds(sqlite3_vfs* vfs, int duration) {
  return real(vfs)->xSleep(real(vfs), duration);
}
int current_time(sqlite3_vfs* vfs, double* days) {
  return real(vfs)->xCurrentTime(real(vfs), days);
}
int last_error(sqlite3_vfs* vfs, int size, char* to) {
  return real(vfs)->xGetLastError(real(vfs), size, to);
}
int current_time_exactly(sqlite3_vfs* vfs, sqlite3_int64* milliseconds) {
  return real(vfs)->xCurrentTimeInt64(real(vfs), milliseconds);
}

/// Version 2: no libraries are loaded and no system calls replaced through it.
sqlite3_vfs in_front_of(sqlite3_vfs* vfs) {
  sqlite3_vfs front{};
  front.iVersion = std::min(vfs->iVersion, 2);
  front.szOsFile = static_cast<int>(sizeof(CheckedFile)) + vfs->szOsFile;
  front.mxPathname = vfs->mxPathname;
  front.zName = "perf_checked";
  front.pAppData = vfs;
  front.xOpen = open_checked;
  front.xDelete = delete_file;
  front.xAccess = access_file;
  front.xFullPathname = full_path;
  front.xRandomness = random_bytes;
  front.xSleep = sleep_microseconds;
  front.xCurrentTime = current_time;
  front.xGetLastError = last_error;
  front.xCurrentTimeInt64 = vfs->iVersion >= 2 ? current_time_exactly : nullptr;
  return front;
}

}  // namespace

const char* checked_vfs() {
  static sqlite3_vfs vfs = in_front_of(sqlite3_vfs_find(nullptr));
  static const int status = sqlite3_vfs_register(&vfs, 0);
  return status == SQLITE_OK ? vfs.zName : nullptr;
}

std::optional<Sums> sums_of(sqlite3_file* base) {
  CheckedFile& file = checked(base);
  std::array<unsigned char, kHeaderBytes> header{};
  const int status = read_real(base, header.data(), kHeaderBytes, 0);
  if (status != SQLITE_OK && status != SQLITE_IOERR_SHORT_READ) {
    return std::nullopt;
  }
  if (status != SQLITE_OK || !has_room_in(header.data())) {
    return Sums::none;
  }
  learn(file, header.data());
  bool counts = false;
  if (file.page_size != 0 && look_at_page_one(base, file.page_size, counts) != SQLITE_OK) {
    return std::nullopt;
  }
  return counts ? Sums::sound : Sums::stale;
}

void trust_page_one(sqlite3_file* file, bool trusted) {
  checked(file).is_trusted = trusted;
}

std::uint32_t last_damaged_page() {
  return damaged_page;
}

std::uint64_t failed_reads() {
  return reads_failed;
}

}  // namespace perf::store
