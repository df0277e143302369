#pragma once

#include <string>

#include "schema/store/connection.h"

namespace perf::store {

/// Copies what is not here yet from the attached store `other`, table by table, parents first.
/// Keys are local to a store, so each table that others refer to gets a temporary table
/// `taken_TABLE` of `old` key, `new` key, and `fresh` (0: the row was here already). The columns
/// and references are read from the schema, so that a column more is copied without a word here.
/// Wants a transaction around it. Throws Error naming the table, with `file` as its subject, for
/// rows that break its rules.
void copy_tables(Connection& connection, const std::string& file);

/// Takes the temporary tables away.
void forget_taken_keys(Connection& connection);

}  // namespace perf::store
