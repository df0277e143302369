#pragma once

#include <string>

#include "schema/store/connection.h"

namespace perf::store {

/// Checks the rows of the attached store `other`, which a stranger may have written, against what
/// our own writers keep to beyond the rules of the tables: names that are safe in paths and
/// commands, oids, texts of bounded length, JSON that reads back, invocations of planned workloads,
/// numbers that fit. Throws Error naming the table, with `file` as its subject.
void require_sound_rows(Connection& connection, const std::string& file);

}  // namespace perf::store
