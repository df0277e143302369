
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "schema/store/internal.h"

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
int read_page_one(sqlite3_file* file, std::uint32_t size, bool& counts) {
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
  if (const int failed = read_page_one(base, file.page_size, counts)) {
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
      if (const int failed = read_page_one(base, file.page_size, counts)) {
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

/// What SQLite asks of a file: the answer of the other one. The pointer in the table tells the rest
/// of the function's type.
template <auto method, class Answer, class... Arguments>
Answer pass_on(sqlite3_file* base, Arguments... arguments) {
  return (real(base)->pMethods->*method)(real(base), arguments...);
}
/// The same of a VFS.
template <auto method, class Answer, class... Arguments>
Answer pass_on(sqlite3_vfs* vfs, Arguments... arguments) {
  return (real(vfs)->*method)(real(vfs), arguments...);
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
  using Methods = sqlite3_io_methods;
  return {version,
          pass_on<&Methods::xClose>,
          read_checked,
          write_checked,
          pass_on<&Methods::xTruncate>,
          pass_on<&Methods::xSync>,
          pass_on<&Methods::xFileSize>,
          lock_checked,
          unlock_checked,
          pass_on<&Methods::xCheckReservedLock>,
          pass_on<&Methods::xFileControl>,
          pass_on<&Methods::xSectorSize>,
          pass_on<&Methods::xDeviceCharacteristics>,
          pass_on<&Methods::xShmMap>,
          pass_on<&Methods::xShmLock>,
          pass_on<&Methods::xShmBarrier>,
          pass_on<&Methods::xShmUnmap>,
          fetch_nothing,
          unfetch_nothing};
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

/// Version 2: no libraries are loaded and no system calls replaced through it.
sqlite3_vfs in_front_of(sqlite3_vfs* vfs) {
  sqlite3_vfs front{};
  front.iVersion = std::min(vfs->iVersion, 2);
  front.szOsFile = static_cast<int>(sizeof(CheckedFile)) + vfs->szOsFile;
  front.mxPathname = vfs->mxPathname;
  front.zName = "perf_checked";
  front.pAppData = vfs;
  front.xOpen = open_checked;
  front.xDelete = pass_on<&sqlite3_vfs::xDelete>;
  front.xAccess = pass_on<&sqlite3_vfs::xAccess>;
  front.xFullPathname = pass_on<&sqlite3_vfs::xFullPathname>;
  front.xRandomness = pass_on<&sqlite3_vfs::xRandomness>;
  front.xSleep = pass_on<&sqlite3_vfs::xSleep>;
  front.xCurrentTime = pass_on<&sqlite3_vfs::xCurrentTime>;
  front.xGetLastError = pass_on<&sqlite3_vfs::xGetLastError>;
  if (vfs->iVersion >= 2) {
    front.xCurrentTimeInt64 = pass_on<&sqlite3_vfs::xCurrentTimeInt64>;
  }
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
  if (file.page_size != 0 && read_page_one(base, file.page_size, counts) != SQLITE_OK) {
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
