#include <algorithm>
#include <ranges>
#include <vector>

#include "schema/store/internal.h"

namespace perf::store {
namespace {

/// The first reference of a row is to its parent.
const Column* parent_of(const MergedTable& table) {
  const std::vector<Column>& columns = columns_of(table.name);
  const auto found =
      std::ranges::find_if(columns, [](const Column& column) { return !column.referred.empty(); });
  return found == columns.end() ? nullptr : &*found;
}

std::string key_of(const std::string& table) {
  const auto found = std::ranges::find(merged_tables(), table, &MergedTable::name);
  return found == merged_tables().end() ? "key" : found->key;
}

void copy_rows(Connection& connection, const std::string& table, const std::string& which) {
  connection.execute("INSERT INTO main." + quoted(table) + " SELECT * FROM other." + quoted(table) +
                     " WHERE " + which);
}

void copy_children(Connection& connection, const std::string& table, const Column& parent) {
  copy_rows(connection, table,
            quoted(parent.name) + " IN (SELECT " + quoted(key_of(parent.referred)) + " FROM main." +
                quoted(parent.referred) + ")");
}

/// Every row that one that was copied refers to.
void copy_referred(Connection& connection, const std::string& table) {
  std::string keys;
  const auto add = [&](const std::string& from) {
    for (const Column& column : columns_of(from)) {
      if (column.referred == table) {
        keys += (keys.empty() ? "SELECT " : " UNION SELECT ") + quoted(column.name) +
                " FROM main." + quoted(from);
      }
    }
  };
  for (const MergedTable& one : merged_tables()) {
    if (one.name != std::string("parent")) {  // is copied with its revision
      add(one.name);
    }
  }
  copy_rows(connection, table, "key IN (" + keys + ")");
}

/// What hangs on the rows of `root`, which are there, and what all of them refer to.
void copy_around(Connection& connection, const std::string& root) {
  std::vector<std::string> there{root};
  for (const MergedTable& table : merged_tables()) {
    const Column* parent = parent_of(table);
    if (!table.children_of_known && parent != nullptr &&
        std::ranges::find(there, parent->referred) != there.end()) {
      copy_children(connection, table.name, *parent);
      there.emplace_back(table.name);
    }
  }
  for (const MergedTable& table : merged_tables() | std::views::reverse) {
    if (table.children_of_known && table.name != root) {
      copy_referred(connection, table.name);
    }
  }
  copy_referred(connection, "environment");
  for (const char* child : {"parent", "environment_fact"}) {
    copy_children(connection, child, columns_of(child).front());
  }
}

/// Makes `part` a store with the rows of `root` that `copy` copies, and all that belongs to them.
template <class Copy>
void copy_part(const Connection& whole, const std::string& root, const Copy& copy,
               Connection& part) {
  make_store(part, migrations());
  part.run("ATTACH DATABASE ?1 AS other", whole.file());
  const AtEnd detach(part, "DETACH DATABASE other");
  WriteTransaction transaction(part);
  copy();
  copy_around(part, root);
  transaction.commit();
}

}  // namespace

void copy_run(const Connection& whole, const std::string& run_id, Connection& part) {
  copy_part(
      whole, "run",
      [&] {
        part.run("INSERT INTO main.run SELECT * FROM other.run WHERE id = ?1", run_id);
        if (part.count("SELECT count(*) FROM main.run") == 0) {
          throw UsageError("no such run", run_id, "list the runs: perf-compare list");
        }
      },
      part);
}

void copy_alerts(const Connection& whole, const std::string& month, Connection& part) {
  copy_part(
      whole, "alert",
      [&] {
        part.run(
            "INSERT INTO main.alert SELECT * FROM other.alert WHERE key IN "
            "(SELECT alert FROM other.alert_event WHERE substr(at, 1, 7) = ?1)",
            month);
      },
      part);
}

}  // namespace perf::store
