#include "schema/store/keep_sums.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "schema/store/soundness.h"

namespace perf::store {
namespace {

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
  connection.trust_page_one(false);
  connection.value<std::string>("PRAGMA locking_mode = NORMAL");
  connection.count("SELECT count(*) FROM sqlite_schema");
}

void sum_all(Connection& connection, Sums before) {
  if (before == Sums::none) {
    connection.execute("VACUUM");  // makes room at the ends of pages
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
