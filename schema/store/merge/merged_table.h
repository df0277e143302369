#pragma once

#include <string>
#include <vector>

namespace perf::store {

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
const std::vector<MergedTable>& merged_tables();

}  // namespace perf::store
