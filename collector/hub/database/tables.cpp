#include "collector/hub/database/tables.h"

#include <array>

#include "schema/error.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Refused;

constexpr std::array<const char*, 3> kRoles{"perf_writer", "perf_reader", "perf_indexer"};
constexpr const char* kNoSchema = "3F000";
constexpr const char* kNoFunction = "42883";
constexpr const char* kNoRight = "42501";

void pin_search_path(Connection& connection) {
  connection.execute("SET LOCAL search_path = pg_catalog");
}

bool has_schema(Connection& connection) {
  return connection.run("SELECT 1 FROM pg_namespace WHERE nspname = 'perf_compare'").size() != 0;
}

void require_hub(Connection& connection) {
  if (connection
          .run("SELECT 1 FROM pg_proc WHERE proname = 'about' AND pronamespace = "
               "'perf_compare'::regnamespace")
          .size() == 0) {
    throw Error("the database has a schema perf_compare that does not belong to a hub",
                connection.place(), "create the hub in another database: createdb NAME");
  }
}

void require_right(Connection& connection) {
  const postgres::Rows row = connection.run(
      "SELECT has_database_privilege(current_database(), 'CREATE'), current_user::text");
  if (!row.flag(0, 0)) {
    throw Error("this user may not create a schema: " + row.text(0, 1), connection.place(),
                "run hub init as the owner of the database, or GRANT CREATE ON DATABASE");
  }
}

void require_version(Connection& connection) {
  constexpr int kOldest = 150000;
  const postgres::Rows row =
      connection.run("SELECT current_setting('server_version_num')::int, version()");
  if (row.integer(0, 0) < kOldest) {
    throw Error("hubs need PostgreSQL 15 or newer, got " + row.text(0, 1), connection.place(),
                "upgrade the server, or use another one");
  }
}

/// Roles belong to the server: another hub may have created them.
void make_roles(Connection& connection) {
  for (const char* role : kRoles) {
    if (connection.run("SELECT 1 FROM pg_roles WHERE rolname = $1", role).size() != 0) {
      continue;
    }
    try {
      connection.execute(std::string("CREATE ROLE ") + role + " NOLOGIN");
    } catch (const Refused& refused) {
      if (refused.state != kNoRight) {
        throw;
      }
      throw Error(
          "this user may not create roles", connection.place(),
          "run hub init as a user with CREATEROLE, or let an administrator run: CREATE ROLE "
          "perf_writer NOLOGIN; CREATE ROLE perf_reader NOLOGIN; CREATE ROLE perf_indexer "
          "NOLOGIN");
    }
  }
}

void take(Connection& connection, const Migration& step) {
  connection.execute(std::string(step.sql));
  connection.run("UPDATE perf_compare.hub SET version = $1", step.version);
}

About read_about(Connection& connection) {
  const postgres::Rows row =
      connection.run("SELECT id, version, oldest_client FROM perf_compare.about()");
  if (row.size() != 1) {
    throw Error("the hub's table perf_compare.hub is empty", connection.place(),
                "restore it from a backup");
  }
  return {row.text(0, 0), static_cast<int>(row.integer(0, 1)), static_cast<int>(row.integer(0, 2))};
}

using postgres::Connection;
using postgres::Rows;

void read_rights(Connection& connection, Status& status) {
  const Rows row = connection.run(
      "SELECT current_user::text, "
      "pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'perf_compare.payload'::regclass), "
      "'USAGE'), "
      "has_column_privilege('perf_compare.payload', 'bytes', 'INSERT'), "
      "has_table_privilege('perf_compare.payload', 'SELECT'), "
      "has_table_privilege('perf_compare.indexed', 'INSERT'), "
      "has_table_privilege('perf_compare.untrusted', 'SELECT')");
  status.user = row.text(0, 0);
  status.owns = row.flag(0, 1);
  status.pushes = row.flag(0, 2);
  status.pulls = row.flag(0, 3);
  status.indexes = row.flag(0, 4);
  if (row.flag(0, 5)) {
    status.untrusted.emplace();
  }
}

}  // namespace

About about(Connection& connection, const std::vector<Migration>& steps) {
  try {
    About found = read_about(connection);
    if (found.oldest_client > steps.back().version) {
      throw Error("the hub has version " + std::to_string(found.version) +
                      ", which is too new for this perf-compare",
                  connection.place(), "install a newer perf-compare");
    }
    return found;
  } catch (const Refused& refused) {
    if (refused.state == kNoSchema || refused.state == kNoFunction) {
      throw Error("no hub in this database", connection.place(),
                  "perf-compare hub init " + connection.place());
    }
    throw;
  }
}

bool make(Connection& connection, const std::vector<Migration>& steps) {
  postgres::Transaction transaction(connection);
  pin_search_path(connection);
  // One at a time: the second finds it done.
  connection.run("SELECT pg_advisory_xact_lock(hashtext('perf_compare'))");
  if (has_schema(connection)) {
    require_hub(connection);
    return false;
  }
  require_version(connection);
  make_roles(connection);
  require_right(connection);
  connection.execute(std::string(steps.front().sql));
  connection.run("INSERT INTO perf_compare.hub (version, oldest_client) VALUES ($1, $1)",
                 steps.front().version);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    take(connection, steps[i]);
  }
  transaction.commit();
  return true;
}

int upgrade(Connection& connection, const std::vector<Migration>& steps) {
  postgres::Transaction transaction(connection);
  pin_search_path(connection);
  about(connection, steps);
  connection.execute("LOCK TABLE perf_compare.hub");  // one at a time; fails without permission
  const int before = about(connection, steps).version;
  for (const Migration& step : steps) {
    if (step.version > before) {
      take(connection, step);
    }
  }
  transaction.commit();
  return before;
}

Status status(Connection& connection) {
  Status status;
  status.about = about(connection);
  read_rights(connection, status);
  if (status.pulls) {
    const Rows months = connection.run(
        "SELECT month, count(*), sum(octet_length(bytes)) FROM perf_compare.payload "
        "GROUP BY month ORDER BY month");
    status.months.emplace();
    for (std::size_t i = 0; i < months.size(); ++i) {
      status.months->push_back({months.text(i, 0), months.integer(i, 1), months.integer(i, 2)});
    }
    const Rows row = connection.run(
        "SELECT count(*) FILTER (WHERE indexed.name IS NULL), count(indexed.refused) "
        "FROM perf_compare.payload LEFT JOIN perf_compare.indexed USING (month, name, sha256)");
    status.unindexed = row.integer(0, 0);
    status.refused = row.integer(0, 1);
  }
  if (status.untrusted) {
    const Rows row = connection.run(
        "SELECT count(*), coalesce(sum(octet_length(bytes)), 0) FROM perf_compare.untrusted");
    *status.untrusted = {"", row.integer(0, 0), row.integer(0, 1)};
  }
  return status;
}

}  // namespace perf::hub
