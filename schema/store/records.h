#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "schema/history.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/store/connection.h"

namespace perf::store {

/// B kept of the end of each stream that an invocation printed. What did not work is worth reading;
/// what did work is stored a million times.
inline constexpr std::size_t kOutputKeptOfFailure = 16384;
inline constexpr std::size_t kOutputKept = 512;

/// The rows of a record, one file each. All but find_run want a transaction around them and throw
/// Error for what SQLite or the tables' rules refuse.
void insert_run(Connection& connection, const Plan& plan, const Policy& policy,
                const std::string& tool_version, const std::string& started_at);
void insert_invocation(Connection& connection, std::int64_t run, const Invocation& invocation);

/// The key of a run. Throws Error when there is none of that id.
std::int64_t find_run(Connection& connection, const std::string& id);
History load_history(Connection& connection, std::int64_t run);
/// A run as it was planned. Throws Error where the store's texts are not what this program writes.
Plan load_plan(Connection& connection, std::int64_t run);
/// The policy that a run went by; that of such a column. Throws Error for what no policy is.
Policy policy_of(const std::string& text);
Policy load_policy(Connection& connection, std::int64_t run);

/// Rows that are written once for all that agree; they find the row or make it.
std::int64_t intern_revision(Connection& connection, const Revision& revision);
std::int64_t intern_environment(Connection& connection, const Environment& environment);
std::int64_t intern_workload(Connection& connection, const Workload& workload);
std::int64_t intern_metric(Connection& connection, const Metric& metric);
std::int64_t intern_name(Connection& connection, const std::string& name);
std::int64_t intern_declaration(Connection& connection, const Block& block);

}  // namespace perf::store
