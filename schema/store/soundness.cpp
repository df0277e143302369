#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

/// How many complaints of a damaged file are worth a line each.
constexpr std::size_t kComplaints = 5;

/// The rows of a check but `sound`; none where the file is sound. Of a page that the disk fails to
/// read a check says the same as of one that it finds damaged.
std::vector<std::string> complaints(Connection& connection, Statement rows,
                                    const std::string& sound) {
  const std::uint64_t failed_before = failed_reads();
  std::vector<std::string> found;
  const auto refuse_disk = [&] {
    if (failed_reads() != failed_before) {
      throw Error("reading the store failed" +
                      (found.empty() ? std::string() : " (SQLite: " + found.back() + ")"),
                  connection.file(), "check the disk, and try again");
    }
  };
  try {
    for (std::string line; rows.next();) {
      rows.read(line);
      if (line != sound) {
        found.push_back(line);
      }
    }
  } catch (const Damaged& damaged) {
    refuse_disk();
    if (found.empty()) {  // otherwise it only repeats that pages are damaged
      found.push_back(damaged.what);
    }
  }
  refuse_disk();
  return found;
}

/// VACUUM writes every page, and nobody else may write before page 1 has its sum: so the lock is
/// kept in between, and page 1 is written last, by giving the version that it has.
void write_all_pages(Connection& connection) {
  connection.execute("VACUUM");
  const auto version = connection.count("PRAGMA user_version");
  connection.trust_page_one(true);
  connection.execute("PRAGMA user_version = " + std::to_string(version));
}

/// The lock is given back at the next reading.
void give_lock_back(Connection& connection) {
  connection.wait_at_most(kLockPatience);
  connection.trust_page_one(false);
  connection.value<std::string>("PRAGMA locking_mode = NORMAL");
  connection.count("SELECT count(*) FROM sqlite_schema");
}

void sum_all(Connection& connection, Sums before) {
  if (before == Sums::none) {
    connection.execute("VACUUM");  // makes room at the ends of pages
  }
  // In WAL mode the others keep their locks until they close the store, and nobody can wait for
  // that.
  if (connection.value<std::string>("PRAGMA journal_mode") == "wal") {
    connection.wait_at_most(0);
  }
  connection.value<std::string>("PRAGMA locking_mode = EXCLUSIVE");
  try {
    write_all_pages(connection);
  } catch (const Error&) {
    give_lock_back(connection);
    throw;
  }
  give_lock_back(connection);
}

}  // namespace

std::vector<std::string> problems(Connection& connection) {
  std::vector<std::string> found = complaints(
      connection, connection.query("SELECT quick_check FROM pragma_quick_check(?1)", kComplaints),
      "ok");
  if (found.empty()) {  // references cannot be followed through damaged pages
    found = complaints(connection,
                       connection.query("SELECT DISTINCT 'rows of ' || \"table\" || ' whose ' || "
                                        "parent || ' is gone' FROM pragma_foreign_key_check "
                                        "LIMIT ?1",
                                        kComplaints),
                       "");
  }
  return found;
}

void require_integrity(Connection& connection) {
  const std::vector<std::string> found = complaints(
      connection, connection.query("SELECT integrity_check FROM pragma_integrity_check(1)"), "ok");
  if (!found.empty()) {
    throw Damaged("the store is damaged (" + found.front() + ")", connection.file(),
                  kSaveWhatCanBeRead);
  }
}

void keep_sums(Connection& connection, std::uintmax_t largest) {
  const Sums before = connection.sums();
  std::error_code unknown;
  if (before == Sums::sound || std::filesystem::file_size(connection.file(), unknown) > largest ||
      unknown) {
    return;
  }
  if (before == Sums::stale) {
    require_integrity(connection);
  }
  if (connection.read_only()) {
    return;
  }
  try {
    sum_all(connection, before);
  } catch (const Damaged&) {
    throw;
  } catch (const Error&) {
    // Next time: without sums the store is what it was before there were any.
  }
}

}  // namespace perf::store
