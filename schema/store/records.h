#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "schema/bisection.h"
#include "schema/calibration.h"
#include "schema/history.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/report.h"
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
void insert_report(Connection& connection, std::int64_t run, const Report& report,
                   bool budget_spent);
void insert_calibration(Connection& connection, std::int64_t run, const Calibration& calibration);

/// The key of a run. Throws Error when there is none of that id.
std::int64_t find_run(Connection& connection, const std::string& id);
History load_history(Connection& connection, std::int64_t run);
/// The policy that a run went by.
Policy load_policy(Connection& connection, std::int64_t run);
/// A finished run's report; nothing where it has none.
std::optional<Report> load_report(Connection& connection, std::int64_t run);
/// The latest of a machine and size; empty text matches every size.
std::optional<Calibration> load_calibration(Connection& connection, const std::string& fingerprint,
                                            const std::string& size);

/// Finds the latest bisection of the key, or makes one of this id and seed.
StoredBisection open_bisection(Connection& connection, const BisectionKey& key,
                               const std::string& id, std::uint64_t seed);
void insert_bisection_run(Connection& connection, const std::string& bisection, std::int64_t run,
                          bool last);

/// Rows that are written once for all that agree; they find the row or make it.
std::int64_t intern_revision(Connection& connection, const Revision& revision);
std::int64_t intern_environment(Connection& connection, const Environment& environment);
std::int64_t intern_workload(Connection& connection, const Workload& workload);
std::int64_t intern_metric(Connection& connection, const Metric& metric);
std::int64_t intern_name(Connection& connection, const std::string& name);
std::int64_t intern_declaration(Connection& connection, const Block& block);

}  // namespace perf::store
