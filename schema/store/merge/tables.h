#pragma once

#include <string>
#include <vector>

/// The tables of a store, as merging and copying parts of it see them.
namespace perf::store {

/// How rows of a table find their place in another store.
struct MergedTable {
  const char* name;
  /// Columns that tell whether a row is there already; none: its parent is new, so it is.
  std::vector<std::string> identity;
  /// The column that other tables refer to; empty: none does.
  std::string key;
  /// Rows that are there already may get new children.
  bool children_of_known = false;
  /// Which rows are taken at all, in SQL: `t` is the row, `r_COLUMN` its reference.
  const char* only = "";
};

/// Parents before children; environments apart, because their facts tell them. Pins are not among
/// them: nothing repins by itself; nor is what is known of hubs.
const std::vector<MergedTable>& merged_tables();

/// A column of a table.
struct Column {
  std::string name;
  std::string type;           ///< INTEGER, REAL or TEXT
  std::string default_value;  ///< as SQL; empty: none
  bool may_be_null = false;
  /// The table whose keys it holds; empty: values that mean the same everywhere.
  std::string referred{};
};

/// The columns of a table of ours, in order.
const std::vector<Column>& columns_of(const std::string& table);

/// For SQL.
std::string quoted(const std::string& name);

}  // namespace perf::store
