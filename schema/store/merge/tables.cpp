#include <algorithm>
#include <map>
#include <optional>

#include "schema/store/internal.h"

namespace perf::store {
namespace {

bool is_referred_to(const std::string& table) {
  const auto& tables = merged_tables();
  return table == "environment" ||
         std::any_of(tables.begin(), tables.end(),
                     [&](const MergedTable& one) { return one.name == table && !one.key.empty(); });
}

/// A reference to a column that is itself a reference leads on.
std::string referred_by(Connection& connection, const std::string& table,
                        const std::string& column) {
  std::optional<std::string> parent, to;
  {
    Statement rows = connection.query(
        "SELECT \"table\", ifnull(\"to\", (SELECT name FROM pragma_table_info(\"table\") "
        "WHERE pk = 1)) FROM pragma_foreign_key_list(?1) WHERE \"from\" = ?2",
        table, column);
    if (rows.next()) {
      rows.read(parent, to);
    }
  }
  if (!parent || !to) {
    return {};
  }
  return is_referred_to(*parent) ? *parent : referred_by(connection, *parent, *to);
}

/// As the schema has them, so that a column more is copied without a word here.
std::map<std::string, std::vector<Column>> all_columns() {
  Connection pristine;
  make_store(pristine, migrations());
  std::map<std::string, std::vector<Column>> tables;
  for (const auto& table :
       pristine.values<std::string>("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
    auto columns = pristine.records<Column>(
        "SELECT name, type, ifnull(dflt_value, ''), \"notnull\" = 0 AND pk = 0 FROM "
        "pragma_table_info(?1)",
        [](Statement& row, Column& column) {
          row.read(column.name, column.type, column.default_value, column.may_be_null);
        },
        table);
    for (Column& column : columns) {
      column.referred = referred_by(pristine, table, column.name);
    }
    tables.emplace(table, std::move(columns));
  }
  return tables;
}

}  // namespace

const std::vector<MergedTable>& merged_tables() {
  static const std::vector<MergedTable> tables{
      {"revision", {"oid"}, "key", true},
      {"parent", {}, "", false, "r_revision.fresh"},
      {"workload",
       {"name", "params", "command", "format", "timeout", "outside", "needs"},
       "key",
       true},
      {"metric", {"name", "unit", "better"}, "key", true},
      {"name", {"name"}, "key", true},
      {"declaration", {"workload", "params", "facts", "tokens_per_step"}, "key", true},
      {"run", {"id"}, "key", true},
      {"run_fact", {}, "", false, "r_run.fresh"},
      {"run_workload", {}, "", false, "r_run.fresh"},
      // What a finished run measured is complete.
      {"invocation",
       {"run", "start_order"},
       "key",
       false,
       "r_run.fresh OR NOT EXISTS (SELECT 1 FROM main.report WHERE run = r_run.new)"},
      {"output", {}, ""},
      {"block", {}, "key"},
      {"step", {}, ""},
      {"phase", {}, ""},
      {"metric_value", {}, ""},
      {"check_result", {}, ""},
      {"pruned_block", {}, ""},
      {"report", {"run"}, "run"},
      {"comparison", {}, ""},
      {"calibration", {"run"}, "key"},
      {"calibrated_series", {}, ""},
      {"bisection", {"id"}, "key", true},
      {"bisection_run", {"run"}, ""},
      {"ratchet_run", {"run"}, ""},
      {"ratchet_end", {"run"}, ""},
      {"imported", {"run"}, "", false, "r_run.fresh"},
      {"alert", {"id"}, "key", true},
      // A decision of days to come would count over all until then.
      {"alert_event",
       {"alert", "news", "at", "run", "author", "reason"},
       "",
       false,
       "t.reason = '' OR t.at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 day')"},
  };
  return tables;
}

const std::vector<Column>& columns_of(const std::string& table) {
  static const auto tables = all_columns();
  return tables.at(table);
}

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

}  // namespace perf::store
