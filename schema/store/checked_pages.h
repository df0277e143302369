#pragma once

#include <cstdint>
#include <optional>

struct sqlite3_file;

namespace perf::store {

/// Sums at the ends of a store's pages, by which a value is noticed that the disk changed: SQLite
/// itself sees damage of its structure only, so a flipped bit inside a number would come out as
/// another number. The idea is SQLite's own (ext/misc/cksumvfs.c).
///
/// The sums count while page 1 has its own, and then all pages have theirs. Any sqlite3 reads such
/// a file; one that writes to it leaves a stale sum on page 1, which every transaction writes. From
/// then on sums count for nothing until sum_all() of a Connection makes all of them anew.
enum class Sums {
  none,   ///< the file leaves no room for them: of an earlier version, or another program's
  stale,  ///< another program has written to it, or page 1 is damaged
  sound,
};

/// The name of a VFS that keeps them, in front of what is SQLite's default VFS at the first call.
/// A page that has not its sum is read as SQLITE_IOERR_DATA.
const char* checked_vfs();

/// These take a main database file that was opened through checked_vfs().
/// nullopt where the disk fails to read.
std::optional<Sums> sums_of(sqlite3_file* file);
/// Whether page 1 gets its sum even where it had none. Only for who has just written all pages, and
/// holds the lock since.
void trust_page_one(sqlite3_file* file, bool trusted);
/// The last page of any file that this thread found without its sum; 0: none yet.
std::uint32_t last_damaged_page();
/// How many reads of this thread the disk has failed. SQLite's checks of a whole store go on after
/// one, and complain of it in the words that they have for damage.
std::uint64_t failed_reads();

}  // namespace perf::store
