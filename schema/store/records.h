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

/// What stands in the columns of an invocation beside those that refer to other rows.
inline constexpr char kInvocationColumns[] =
    "pair, attempt, start_order, paired, steps_wanted, warmup_wanted, seed, padding, failure, "
    "exit_code, signal, timed_out, spawn_error, wall, took, user, system, peak_rss, minor_faults, "
    "major_faults, voluntary_switches, involuntary_switches, steal, cpu_pressure, "
    "memory_available_before, layout_seed, counted, traced, instructions";
auto invocation_columns(auto& invocation) {
  auto& i = invocation;
  auto& p = i.process;
  return std::tie(i.pair, i.attempt, i.start_order, i.paired, i.steps_wanted, i.warmup_wanted,
                  i.seed, i.padding, i.failure, p.exit_code, p.signal, p.timed_out, p.spawn_error,
                  p.wall, i.took, p.user, p.system, p.peak_rss, p.minor_faults, p.major_faults,
                  p.voluntary_switches, p.involuntary_switches, p.steal, p.cpu_pressure,
                  p.memory_available_before, i.layout_seed, i.counted, i.traced, p.instructions);
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
