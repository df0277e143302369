#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schema/store/connection.h"
#include "schema/store/migration.h"

namespace perf::store {

/// What to try with a store that is damaged.
inline constexpr char kSaveWhatCanBeRead[] =
    "restore a copy, or save what can be read with sqlite3's .recover";

/// What a database says it is. All zero: an empty one.
struct Identity {
  std::uint32_t application_id = 0;
  std::uint32_t version = 0;
  std::int64_t objects = 0;  ///< tables, indexes, views and triggers
};

/// Wants a transaction around it, lest another process that creates the store is seen half way.
Identity identity_of(Connection& connection);
/// Opens that transaction itself, and refuses a file cut short.
Identity first_look(Connection& connection);

/// Looks at the bytes before SQLite, which would recover journals and may write, gets to them.
/// Refuses what is no store of ours, or one of a version that `steps` do not lead to or from.
void refuse_by_header(const Connection& connection, const std::vector<Migration>& steps);
/// Refuses a store whose objects are not exactly as `steps` make them up to `version`, and one
/// with a trigger more: triggers run at our writes, with our rights. Tables, views and indexes
/// that people add are theirs.
void require_schema(Connection& connection, const std::vector<Migration>& steps,
                    std::uint32_t version);
/// Refuses a store that holds any table, view, index or trigger beside those that `steps`
/// make up to `version`; what ANALYZE wrote is passed over.
void refuse_additions(Connection& connection, const std::vector<Migration>& steps,
                      std::uint32_t version);

[[noreturn]] void refuse_foreign(const std::string& file, const std::string& why);
/// Refuses a version after the last of `steps`, and one from before the first.
void refuse_version(const std::string& file, std::uint32_t version,
                    const std::vector<Migration>& steps);

}  // namespace perf::store
