#include <algorithm>
#include <iterator>
#include <vector>

#include "schema/environment.h"
#include "schema/store/merge/merge.h"
#include "schema/store/records.h"

namespace perf::store {
namespace {

/// How rows of a table find their place here.
struct MergedTable {
  const char* name;
  /// Columns that tell whether a row is here already; none: its parent is new, so it is.
  std::vector<std::string> identity;
  /// The column that other tables refer to; empty: none does.
  std::string key;
  /// Rows that are here already may get new children.
  bool children_of_known = false;
  /// Which rows are taken at all, in SQL: `t` is the row, `r_COLUMN` its reference.
  const char* only = "";
};

/// Parents before children; environments apart, because their facts tell them. Pins are not among
/// them: nothing repins by itself.
const std::vector<MergedTable>& merged_tables() {
  static const std::vector<MergedTable> tables{
      {"revision", {"oid"}, "key", true},
      {"parent", {}, "", false, "r_revision.fresh"},
      {"workload", {"name", "params", "command", "format", "timeout", "outside"}, "key", true},
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
      {"imported", {"run"}, "", false, "r_run.fresh"},
      {"alert", {"id"}, "key", true},
      {"alert_event", {"alert", "news", "at", "run"}, ""},
  };
  return tables;
}

bool is_referred_to(const std::string& table) {
  const auto& tables = merged_tables();
  return table == "environment" ||
         std::any_of(tables.begin(), tables.end(),
                     [&](const MergedTable& one) { return one.name == table && !one.key.empty(); });
}

/// A column, and the table whose keys it holds; empty: values that mean the same everywhere.
struct Column {
  std::string name;
  std::string referred;
  bool may_be_null = false;
};

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

std::vector<Column> columns_of(Connection& connection, const std::string& table) {
  auto columns = connection.records<Column>(
      "SELECT name, \"notnull\" = 0 AND pk = 0 FROM pragma_table_info(?1, 'main')",
      [](Statement& row, Column& column) { row.read(column.name, column.may_be_null); }, table);
  for (Column& column : columns) {
    column.referred = referred_by(connection, table, column.name);
  }
  return columns;
}

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

/// The value a column has here.
std::string value_here(const Column& column) {
  return column.referred.empty() ? "t." + quoted(column.name) : "r_" + column.name + ".new";
}

const Column& column_named(const std::vector<Column>& columns, const std::string& name) {
  return *std::find_if(columns.begin(), columns.end(),
                       [&name](const Column& column) { return column.name == name; });
}

/// `other`'s rows with the keys that their references have here. The first reference is to the
/// parent, unless rows are shared by many: then `from` its taken keys, few or in order, so that no
/// table is read whole. CROSS JOIN keeps SQLite to the order written.
std::string rows_from(const MergedTable& table, const std::vector<Column>& columns) {
  const auto taken = [](const Column& column) {
    return "temp.taken_" + column.referred + " AS r_" + column.name;
  };
  const auto matches = [](const Column& column) {
    return " ON t." + quoted(column.name) + " = r_" + column.name + ".old";
  };
  const std::string rows = "other." + quoted(table.name) + " AS t";
  auto first = columns.end();
  if (!table.children_of_known) {
    first = std::find_if(columns.begin(), columns.end(),
                         [](const Column& column) { return !column.referred.empty(); });
  }
  std::string from =
      first == columns.end() ? rows : taken(*first) + " CROSS JOIN " + rows + matches(*first);
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (column != first && !column->referred.empty()) {
      from += (column->may_be_null ? " LEFT JOIN " : " CROSS JOIN ") + taken(*column) +
              matches(*column);
    }
  }
  return from;
}

/// Whether row `x` is what row `t` would be here.
std::string same_row(const MergedTable& table, const std::vector<Column>& columns) {
  std::string same;
  for (const std::string& name : table.identity) {
    same += (same.empty() ? "" : " AND ") + std::string("x.") + quoted(name) + " IS " +
            value_here(column_named(columns, name));
  }
  return same;
}

std::string wanted(const MergedTable& table, const std::vector<Column>& columns) {
  std::string condition = *table.only == '\0' ? "true" : "(" + std::string(table.only) + ")";
  if (!table.identity.empty()) {
    condition += " AND NOT EXISTS (SELECT 1 FROM main." + quoted(table.name) + " AS x WHERE " +
                 same_row(table, columns) + ")";
  }
  return condition;
}

void take_keys(Connection& connection, const MergedTable& table,
               const std::vector<Column>& columns) {
  const std::string name = quoted(table.name);
  const std::string taken = "temp.taken_" + std::string(table.name);
  const std::string old_key = "t." + quoted(table.key);
  const Column& key = column_named(columns, table.key);
  const std::string new_key = key.referred.empty()
                                  ? "(SELECT ifnull(max(key), 0) FROM main." + name +
                                        ") + row_number() OVER (ORDER BY " + old_key + ")"
                                  : value_here(key);
  connection.execute("CREATE TABLE " + taken +
                     " (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, fresh INTEGER NOT NULL)");
  if (table.children_of_known) {
    connection.execute("INSERT INTO " + taken + " SELECT " + old_key + ", min(x." +
                       quoted(table.key) + "), 0 FROM " + rows_from(table, columns) +
                       " CROSS JOIN main." + name + " AS x ON " + same_row(table, columns) +
                       " GROUP BY " + old_key);
  }
  connection.execute("INSERT INTO " + taken + " SELECT " + old_key + ", " + new_key + ", 1 FROM " +
                     rows_from(table, columns) + " WHERE " + wanted(table, columns));
}

void copy_table(Connection& connection, const MergedTable& table) {
  const std::vector<Column> columns = columns_of(connection, table.name);
  if (!table.key.empty()) {
    take_keys(connection, table, columns);
  }
  std::string names, values;
  for (const Column& column : columns) {
    if (table.key.empty() && column.name == "key") {
      continue;  // nobody refers to it: SQLite gives the next one
    }
    const std::string comma = names.empty() ? "" : ", ";
    names += comma + quoted(column.name);
    values += comma + (column.name == table.key ? "taken.new" : value_here(column));
  }
  const std::string into =
      "INSERT INTO main." + quoted(table.name) + " (" + names + ") SELECT " + values + " FROM ";
  if (table.key.empty()) {
    connection.execute(into + rows_from(table, columns) + " WHERE " + wanted(table, columns));
    return;
  }
  MergedTable by_key = table;
  by_key.children_of_known = true;  // the rows are known by now, one by one
  connection.execute(into + "temp.taken_" + table.name + " AS taken CROSS JOIN " +
                     rows_from(by_key, columns) + " WHERE taken.fresh AND t." + quoted(table.key) +
                     " = taken.old");
}

/// Machine facts decide, not the fingerprint alone, as for every run that is begun.
void copy_environments(Connection& connection) {
  connection.execute(
      "CREATE TABLE temp.taken_environment "
      "(old INTEGER PRIMARY KEY, new INTEGER NOT NULL, fresh INTEGER NOT NULL)");
  for (const auto key : connection.values<std::int64_t>("SELECT key FROM other.environment")) {
    Environment environment;
    environment.fingerprint =
        connection
            .value<std::string>("SELECT fingerprint FROM other.environment WHERE key = ?1", key)
            .value();
    environment.machine = connection.facts(
        "SELECT name, value FROM other.environment_fact WHERE environment = ?1", key);
    connection.add_row("temp.taken_environment (old, new, fresh)", key,
                       intern_environment(connection, environment), 0);
  }
}

}  // namespace

void copy_tables(Connection& connection, const std::string& file) {
  std::string table = "environment";
  try {
    copy_environments(connection);
    for (const MergedTable& one : merged_tables()) {
      table = one.name;
      copy_table(connection, one);
    }
  } catch (const RefusedRow& error) {
    throw Error(
        "its rows of table " + table + " were refused, and nothing of it was taken: " + error.what,
        file, "it was not written by perf-compare: find out who changed it");
  }
}

void forget_taken_keys(Connection& connection) {
  connection.execute("DROP TABLE temp.taken_environment");
  for (const MergedTable& table : merged_tables()) {
    if (!table.key.empty()) {
      connection.execute("DROP TABLE temp.taken_" + std::string(table.name));
    }
  }
}

}  // namespace perf::store
