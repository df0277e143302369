#include <algorithm>
#include <vector>

#include "schema/environment.h"
#include "schema/store/internal.h"
#include "schema/text/lists.h"

namespace perf::store {
namespace {

/// The value a column has here.
std::string value_here(const Column& column) {
  return column.referred.empty() ? "t." + quoted(column.name) : "r_" + column.name + ".new";
}

const Column& column_named(const std::vector<Column>& columns, const std::string& name) {
  return *std::ranges::find(columns, name, &Column::name);
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
  return joined(table.identity, " AND ", [&](const std::string& name) {
    return std::string("x.") + quoted(name) + " IS " + value_here(column_named(columns, name));
  });
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
  const std::vector<Column>& columns = columns_of(table.name);
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
    throw Error("invalid rows in table " + table + "; nothing was merged: " + error.what, file,
                "find out who changed it: perf-compare did not write it");
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
