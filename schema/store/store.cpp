#include "schema/store/store.h"

#include "schema/error.h"
#include "schema/store/export.h"
#include "schema/store/merge/merge.h"
#include "schema/store/migration.h"
#include "schema/store/prune.h"
#include "schema/store/recorded_history.h"
#include "schema/store/records.h"
#include "schema/store/soundness.h"
#include "schema/store/store_file.h"
#include "schema/store/store_impl.h"
#include "schema/store/transaction.h"

namespace perf {

using store::Connection;
using store::ReadTransaction;
using store::Statement;
using store::WriteTransaction;

namespace {

/// UTC, ISO 8601.
std::string at_or_now(Connection& connection, const std::string& at) {
  return !at.empty() ? at
                     : connection.value<std::string>("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')")
                           .value();
}

}  // namespace

Store::Store(const std::filesystem::path& file, Access access)
    : impl_(new Impl{Connection(store::place_of_store(file, access == Access::read_write),
                                access == Access::read_write ? Connection::Access::read_write
                                                             : Connection::Access::read_only)}) {
  store::bring_up_to_date(impl_->connection, store::migrations());
}
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
  connection.add_row("imported (run, format, source, digest, measured_at)", run, from.format,
                     from.source, from.digest, from.measured_at);
  transaction.commit();
}

/// The first of them, where merged stores brought several.
std::optional<std::string> Store::find_imported(const std::string& digest) const {
  return impl_->connection.value<std::string>(
      "SELECT run.id FROM imported JOIN run ON run.key = imported.run "
      "WHERE imported.digest = ?1 ORDER BY run.key LIMIT 1",
      digest);
}

void Store::add(const std::string& run_id, const Invocation& invocation) {
  WriteTransaction transaction(impl_->connection);
  store::insert_invocation(impl_->connection, store::find_run(impl_->connection, run_id),
                           invocation);
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
  impl_->connection.add_row("pin_event (action, name, oid, reason, at)", "pin", baseline.name,
                            baseline.oid, baseline.reason, baseline.pinned_at);
  transaction.commit();
}

bool Store::unpin(const std::string& name, const std::string& at, const std::string& reason) {
  WriteTransaction transaction(impl_->connection);
  const auto oid =
      impl_->connection.value<std::string>("SELECT oid FROM baseline WHERE name = ?1", name);
  if (!oid) {
    return false;
  }
  impl_->connection.add_row("pin_event (action, name, oid, reason, at)", "unpin", name, *oid,
                            reason, at);
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
