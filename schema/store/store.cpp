#include "schema/store/store.h"

#include "schema/error.h"
#include "schema/store/alerts.h"
#include "schema/store/connection.h"
#include "schema/store/evidence.h"
#include "schema/store/export.h"
#include "schema/store/imported.h"
#include "schema/store/merge/merge.h"
#include "schema/store/migration.h"
#include "schema/store/prune.h"
#include "schema/store/recorded_history.h"
#include "schema/store/records.h"
#include "schema/store/run_list.h"
#include "schema/store/soundness.h"
#include "schema/store/store_file.h"
#include "schema/store/transaction.h"

namespace perf {

using store::Connection;
using store::ReadTransaction;
using store::Statement;
using store::WriteTransaction;

struct Store::Impl {
  Connection connection;

  Impl(const std::filesystem::path& file, Access access)
      : connection(store::place_of_store(file, access == Access::read_write),
                   access == Access::read_write ? Connection::Access::read_write
                                                : Connection::Access::read_only) {
    store::bring_up_to_date(connection, store::migrations());
  }
};

namespace {

/// UTC, ISO 8601.
std::string at_or_now(Connection& connection, const std::string& at) {
  return !at.empty() ? at
                     : connection.value<std::string>("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')")
                           .value();
}

}  // namespace

Store::Store(const std::filesystem::path& file, Access access)
    : impl_(std::make_unique<Impl>(file, access)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

void Store::begin_run(const Plan& plan, const Policy& policy, const std::string& tool_version,
                      const std::string& started_at) {
  Connection& connection = impl_->connection;
  WriteTransaction transaction(connection);
  store::insert_run(connection, plan, policy, tool_version, at_or_now(connection, started_at));
  transaction.commit();
}

void Store::add_imported(const Plan& plan, const Policy& policy, const std::string& tool_version,
                         const std::vector<Invocation>& invocations, const ImportedFrom& from) {
  Connection& connection = impl_->connection;
  WriteTransaction transaction(connection);
  store::insert_run(connection, plan, policy, tool_version,
                    at_or_now(connection, from.measured_at));
  const std::int64_t run = store::find_run(connection, plan.run_id);
  for (const Invocation& invocation : invocations) {
    store::insert_invocation(connection, run, invocation);
  }
  store::insert_imported(connection, run, from);
  transaction.commit();
}

std::optional<std::string> Store::find_imported(const std::string& digest) const {
  ReadTransaction transaction(impl_->connection);
  return store::find_imported(impl_->connection, digest);
}

std::vector<Alert> Store::alerts() const {
  ReadTransaction transaction(impl_->connection);
  return store::load_alerts(impl_->connection);
}

void Store::record_alerts(const std::vector<Alert>& fresh,
                          const std::vector<std::pair<std::string, AlertEvent>>& news) {
  WriteTransaction transaction(impl_->connection);
  store::insert_alerts(impl_->connection, fresh);
  for (const auto& [id, event] : news) {
    store::insert_alert_event(impl_->connection, id, event);
  }
  transaction.commit();
}

void Store::add(const std::string& run_id, const Invocation& invocation) {
  WriteTransaction transaction(impl_->connection);
  store::insert_invocation(impl_->connection, store::find_run(impl_->connection, run_id),
                           invocation);
  transaction.commit();
}

void Store::finish_run(const Report& report, bool budget_spent) {
  WriteTransaction transaction(impl_->connection);
  store::insert_report(impl_->connection, store::find_run(impl_->connection, report.id), report,
                       budget_spent);
  transaction.commit();
}

void Store::add_calibration(const Calibration& calibration) {
  WriteTransaction transaction(impl_->connection);
  store::insert_calibration(impl_->connection, store::find_run(impl_->connection, calibration.id),
                            calibration);
  transaction.commit();
}

std::optional<Calibration> Store::latest_calibration(const std::string& fingerprint,
                                                     const std::string& size) const {
  ReadTransaction transaction(impl_->connection);
  return store::load_calibration(impl_->connection, fingerprint, size);
}

StoredBisection Store::open_bisection(const BisectionKey& key, const std::string& id,
                                      std::uint64_t seed) {
  WriteTransaction transaction(impl_->connection);
  StoredBisection found = store::open_bisection(impl_->connection, key, id, seed);
  transaction.commit();
  return found;
}

void Store::add_to_bisection(const std::string& bisection_id, const std::string& run_id,
                             bool last) {
  WriteTransaction transaction(impl_->connection);
  store::insert_bisection_run(impl_->connection, bisection_id,
                              store::find_run(impl_->connection, run_id), last);
  transaction.commit();
}

History Store::load(const std::string& run_id) const {
  ReadTransaction transaction(impl_->connection);
  return store::load_history(impl_->connection, store::find_run(impl_->connection, run_id));
}

Plan Store::load_plan(const std::string& run_id) const {
  ReadTransaction transaction(impl_->connection);
  return store::load_plan(impl_->connection, store::find_run(impl_->connection, run_id));
}

Policy Store::load_policy(const std::string& run_id) const {
  ReadTransaction transaction(impl_->connection);
  return store::load_policy(impl_->connection, store::find_run(impl_->connection, run_id));
}

std::optional<Report> Store::load_report(const std::string& run_id) const {
  ReadTransaction transaction(impl_->connection);
  return store::load_report(impl_->connection, store::find_run(impl_->connection, run_id));
}

std::vector<ListedRun> Store::list_runs(std::int64_t limit,
                                        const std::vector<std::string>& globs) const {
  ReadTransaction transaction(impl_->connection);
  return store::list_runs(impl_->connection, limit, globs);
}

ListedRun Store::listed_run(const std::string& run_id) const {
  ReadTransaction transaction(impl_->connection);
  return store::listed_run(impl_->connection, run_id);
}

std::vector<ListedRun> Store::listed_runs_at(const std::string& oid, std::int64_t limit) const {
  ReadTransaction transaction(impl_->connection);
  return store::listed_runs_at(impl_->connection, oid, limit);
}

std::vector<std::string> Store::sizes_at(const std::string& oid) const {
  ReadTransaction transaction(impl_->connection);
  return store::sizes_at(impl_->connection, oid);
}

std::vector<std::string> Store::run_ids(const std::string& prefix, std::int64_t limit) const {
  ReadTransaction transaction(impl_->connection);
  return store::run_ids(impl_->connection, prefix, limit);
}

std::optional<std::string> Store::latest_comparison() const {
  return impl_->connection.value<std::string>(
      "SELECT run.id FROM run JOIN report ON report.run = run.key WHERE run.purpose = 'compare' "
      "ORDER BY run.key DESC LIMIT 1");
}

std::int64_t Store::count_runs() const {
  return impl_->connection.value<std::int64_t>("SELECT count(*) FROM run").value_or(0);
}

std::vector<RunOfPairs> Store::runs_of_pairs(const std::string& base_oid,
                                             const std::string& head_oid, const Workload& workload,
                                             const std::string& size) const {
  ReadTransaction transaction(impl_->connection);
  return store::runs_of_pairs(impl_->connection, base_oid, head_oid, workload, size);
}

std::vector<std::string> Store::runs_at(const std::string& oid, const Workload& workload,
                                        const std::string& size, std::int64_t limit) const {
  ReadTransaction transaction(impl_->connection);
  return store::runs_at(impl_->connection, oid, workload, size, limit);
}

RecordedHistory Store::load_recorded(const HistoryQuery& query) const {
  ReadTransaction transaction(impl_->connection);
  return store::load_recorded(impl_->connection, query);
}

std::vector<MeasuredAt> Store::measured_at(const std::vector<std::string>& oids,
                                           const std::string& size, const std::string& fingerprint,
                                           const std::string& anchor) const {
  ReadTransaction transaction(impl_->connection);
  return store::measured_at(impl_->connection, oids, size, fingerprint, anchor);
}

std::vector<RunSummary> Store::runs(std::int64_t limit) const {
  std::vector<RunSummary> found;
  Statement rows = impl_->connection.query(
      "SELECT run.id, run.started_at, run.size, b.oid, ifnull(run.base_name, ''), h.oid, "
      "run.head_name, h.subject, report.verdict FROM run "
      "JOIN revision AS h ON h.key = run.head LEFT JOIN revision AS b ON b.key = run.base "
      "LEFT JOIN report ON report.run = run.key ORDER BY run.key DESC LIMIT ?1",
      limit);
  while (rows.next()) {
    RunSummary& run = found.emplace_back();
    rows.read(run.id, run.started_at, run.size, run.base_oid, run.base_name, run.head_oid,
              run.head_name, run.head_subject, run.verdict);
  }
  return found;
}

std::vector<std::string> Store::problems() const {
  return store::problems(impl_->connection);
}

MergeResult Store::merge(const std::filesystem::path& other) {
  return store::merge(impl_->connection, other);
}

ExportResult Store::export_to(const std::filesystem::path& file) const {
  return store::export_to(impl_->connection, file);
}

PruneResult Store::prune(const PruneWish& wish) {
  return store::prune(impl_->connection, wish);
}

// ---- pins: the events are the truth, the view `baseline` their present state

void Store::pin(const Baseline& baseline) {
  if (baseline.name.empty() || baseline.oid.empty()) {
    throw UsageError("a pin needs a name and a commit", baseline.name + baseline.oid,
                     "perf-compare pin NAME REV");
  }
  WriteTransaction transaction(impl_->connection);
  impl_->connection.run(
      "INSERT INTO pin_event (name, action, oid, reason, at) VALUES (?1, 'pin', ?2, ?3, ?4)",
      baseline.name, baseline.oid, baseline.reason, baseline.pinned_at);
  transaction.commit();
}

bool Store::unpin(const std::string& name, const std::string& at, const std::string& reason) {
  WriteTransaction transaction(impl_->connection);
  const auto oid =
      impl_->connection.value<std::string>("SELECT oid FROM baseline WHERE name = ?1", name);
  if (!oid) {
    return false;
  }
  impl_->connection.run(
      "INSERT INTO pin_event (name, action, oid, reason, at) VALUES (?1, 'unpin', ?2, ?3, ?4)",
      name, *oid, reason, at);
  transaction.commit();
  return true;
}

std::vector<Baseline> Store::pins() const {
  std::vector<Baseline> found;
  Statement rows =
      impl_->connection.query("SELECT name, oid, reason, pinned_at FROM baseline ORDER BY name");
  while (rows.next()) {
    Baseline& baseline = found.emplace_back();
    rows.read(baseline.name, baseline.oid, baseline.reason, baseline.pinned_at);
  }
  return found;
}

std::vector<PinEvent> Store::pin_events() const {
  std::vector<PinEvent> found;
  Statement rows = impl_->connection.query(
      "SELECT action = 'pin', name, oid, reason, at FROM pin_event ORDER BY key");
  while (rows.next()) {
    PinEvent& event = found.emplace_back();
    rows.read(event.pinned, event.name, event.oid, event.reason, event.at);
  }
  return found;
}

}  // namespace perf
