#include "collector/hub/tables.h"

namespace perf::hub {
namespace {

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
