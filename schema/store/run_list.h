#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schema/run_list.h"
#include "schema/store/connection.h"

namespace perf::store {

/// The latest `limit` runs (-1: all), newest first, that planned a workload whose name one of the
/// globs matches (none: every run). Reads only as many runs as it takes.
std::vector<ListedRun> list_runs(Connection& connection, std::int64_t limit,
                                 const std::vector<std::string>& globs);

/// One run as the list shows it. Throws Error where there is no run of that id.
ListedRun listed_run(Connection& connection, const std::string& id);

/// Runs at a revision, as head or as base, newest first.
std::vector<ListedRun> listed_runs_at(Connection& connection, const std::string& oid,
                                      std::int64_t limit);

/// Sizes of the runs at a revision, as head or as base, sorted.
std::vector<std::string> sizes_at(Connection& connection, const std::string& oid);

/// Ids that begin with a text, at most `limit`, in their own order.
std::vector<std::string> run_ids(Connection& connection, const std::string& prefix,
                                 std::int64_t limit);

}  // namespace perf::store
