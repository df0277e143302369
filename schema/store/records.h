#pragma once

#include <cstddef>
#include <string>
#include <tuple>

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

/// The columns of an invocation, without those that refer to other rows.
#define PERF_COLUMN_NAME(member) ", " #member
#define PERF_COLUMN_VALUE(member) , i.process.member
inline constexpr char kInvocationColumns[] =
    "pair, attempt, start_order, paired, steps_wanted, warmup_wanted, seed, padding, failure, "
    "took, layout_seed, counted, traced" PERF_PROCESS_COLUMNS(PERF_COLUMN_NAME);
auto invocation_columns(auto& i) {
  return std::tie(i.pair, i.attempt, i.start_order, i.paired, i.steps_wanted, i.warmup_wanted,
                  i.seed, i.padding, i.failure, i.took, i.layout_seed, i.counted,
                  i.traced PERF_PROCESS_COLUMNS(PERF_COLUMN_VALUE));
}

/// The key of a run. Throws Error when there is none of that id.
std::int64_t find_run(Connection& connection, const std::string& id);
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
