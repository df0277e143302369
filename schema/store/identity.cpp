#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;

/// type, name, table, SQL: all that decides what a statement does.
using SchemaObject = std::tuple<std::string, std::string, std::string, std::string>;

/// SQLite itself notices whole pages that are missing, but not the end of the last one.
void refuse_cut_page(Connection& connection) {
  const auto page = connection.value<std::uintmax_t>("PRAGMA page_size").value_or(1);
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(connection.file(), failed);
  if (failed) {
    throw Error("the store cannot be read", connection.file() + ": " + failed.message(),
                "check the disk, and try again");
  }
  if (size % page != 0) {
    throw Error("the store is truncated", connection.file(), kSaveWhatCanBeRead);
  }
}

std::set<SchemaObject> schema_of(Connection& connection) {
  const auto read = [](Statement& row, SchemaObject& object) {
    std::apply([&row](auto&... parts) { row.read(parts...); }, object);
  };
  const auto objects = connection.records<SchemaObject>(
      "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema", read);
  return {objects.begin(), objects.end()};
}

/// What the steps make up to a version; looked up at every opening, and made once.
const std::set<SchemaObject>& schema_after(const std::vector<Migration>& steps,
                                           std::uint32_t version) {
  static std::mutex mutex;
  static std::map<std::string, std::set<SchemaObject>> known;  // by their SQL
  std::string sql;
  for (const Migration& step : steps) {
    if (step.version <= version) {
      sql += step.sql;
    }
  }
  const std::scoped_lock lock(mutex);
  const auto found = known.find(sql);
  if (found != known.end()) {
    return found->second;
  }
  Connection pristine;
  pristine.execute(sql);
  return known.emplace(sql, schema_of(pristine)).first->second;
}

}  // namespace

void refuse_foreign(const std::string& file, const std::string& why) {
  throw Error("not a perf-compare store (" + why + ")", file, "choose another file with --db FILE");
}

void refuse_version(const std::string& file, std::uint32_t version,
                    const std::vector<Migration>& steps) {
  const std::string has = "(version " + std::to_string(version) + ", this one ";
  if (version > steps.back().version) {
    throw Error("the store was written by a newer perf-compare " + has + "reads up to " +
                    std::to_string(steps.back().version) + ")",
                file, "use the newer perf-compare, or choose another file with --db FILE");
  }
  if (version < steps.front().version) {
    throw Error("the store was written by an unreleased perf-compare " + has + "begins with " +
                    std::to_string(steps.front().version) + ")",
                file, "move it away and measure again, or choose another file with --db FILE");
  }
}

Identity identity_of(Connection& connection) {
  Identity identity;
  identity.application_id = connection.value<std::uint32_t>("PRAGMA application_id").value_or(0);
  identity.version = connection.value<std::uint32_t>("PRAGMA user_version").value_or(0);
  identity.objects = connection.count("SELECT count(*) FROM sqlite_schema");
  return identity;
}

Identity first_look(Connection& connection) {
  const ReadTransaction transaction(connection);
  const Identity identity = identity_of(connection);
  refuse_cut_page(connection);
  return identity;
}

void refuse_by_header(const Connection& connection, const std::vector<Migration>& steps) {
  // With a journal beside it the header may be half written, and SQLite judges after recovery.
  const FileHeader header = connection.header();
  std::error_code ignored;
  if (header.empty || fs::exists(connection.file() + "-journal", ignored)) {
    return;
  }
  if (!header.sqlite) {
    refuse_foreign(connection.file(), "not an SQLite database");
  }
  if (header.application_id != kApplicationId) {
    refuse_foreign(connection.file(), "another application's database");
  }
  refuse_version(connection.file(), header.user_version, steps);
}

void require_schema(Connection& connection, const std::vector<Migration>& steps,
                    std::uint32_t version) {
  const std::set<SchemaObject>& expected = schema_after(steps, version);
  const std::set<SchemaObject> found = schema_of(connection);
  for (const SchemaObject& object : expected) {
    if (found.count(object) == 0) {
      refuse_foreign(connection.file(), std::get<0>(object) + " " + std::get<1>(object) +
                                            " differs from perf-compare's");
    }
  }
  for (const SchemaObject& object : found) {
    if (std::get<0>(object) == "trigger" && expected.count(object) == 0) {
      refuse_foreign(connection.file(), "it has an additional trigger, " + std::get<1>(object));
    }
  }
}

void refuse_additions(Connection& connection, const std::vector<Migration>& steps,
                      std::uint32_t version) {
  const std::set<SchemaObject>& expected = schema_after(steps, version);
  for (const SchemaObject& object : schema_of(connection)) {
    const auto& [type, name, table, sql] = object;
    if (expected.count(object) == 0 && table.rfind("sqlite_stat", 0) != 0) {
      throw Error("it has an additional " + type + ": " + name, connection.file(),
                  "merge a copy without it: sqlite3 COPY 'DROP " + type + " NAME'");
    }
  }
}

}  // namespace perf::store
