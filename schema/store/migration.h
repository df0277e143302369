#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/store/connection.h"

namespace perf::store {

/// Marks the file as a store of perf-compare (PRAGMA application_id): "prfc".
inline constexpr std::uint32_t kApplicationId = 0x70726663;

/// One file of schema/sql/, embedded at build.
struct Migration {
  std::uint32_t version = 0;  ///< of the store after it: PRAGMA user_version
  std::string_view name;      ///< 0007_initial
  std::string_view sql;
};

/// All of schema/sql/, in order. The first makes a store of nothing; each of the others makes the
/// next version of the one before.
const std::vector<Migration>& migrations();

/// Brings an opened file to the last of `steps`: makes a new store of an empty file; migrates an
/// older one, each step in one IMMEDIATE transaction, after a VACUUM INTO copy beside it
/// (FILE.version-N.bak); and leaves a current one alone, once its schema has been found to be
/// exactly ours. Anything else is refused untouched: a newer version, one from before the first
/// step, another application's database, a file that is no database, a changed schema or foreign
/// triggers.
/// Throws Error, and when a store that must change may only be read.
void bring_up_to_date(Connection& connection, const std::vector<Migration>& steps);

/// Makes a store of an empty database in memory.
void make_in_memory(Connection& connection, const std::vector<Migration>& steps);
/// Takes the steps after the version of a store in memory, which is ours and sound.
void migrate_in_memory(Connection& connection, const std::vector<Migration>& steps);

}  // namespace perf::store
