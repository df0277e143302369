
#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf {

using store::Connection, store::Statement, store::WriteTransaction;

namespace {

/// UTC, ISO 8601.
std::string at_or_now(Connection& connection, const std::string& at) {
  return !at.empty() ? at
                     : connection.value<std::string>("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')")
                           .value();
}

}  // namespace

Store::Store(const std::filesystem::path& file, Access access)
    : connection_(std::make_unique<Connection>(
          store::place_of_store(file, access == Access::read_write),
          access == Access::read_write ? Connection::Access::read_write
                                       : Connection::Access::read_only)) {
  bring_up_to_date(*connection_, store::migrations());
}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

void Store::begin_run(const Plan& plan, const Policy& policy, const std::string& tool_version,
                      const std::string& started_at) {
  WriteTransaction transaction(*connection_);
  store::insert_run(*connection_, plan, policy, tool_version, at_or_now(*connection_, started_at));
  transaction.commit();
}

void Store::add_imported(const Plan& plan, const Policy& policy, const std::string& tool_version,
                         const std::vector<Invocation>& invocations, const ImportedFrom& from) {
  WriteTransaction transaction(*connection_);
  store::insert_run(*connection_, plan, policy, tool_version,
                    at_or_now(*connection_, from.measured_at));
  const std::int64_t run = store::find_run(*connection_, plan.run_id);
  for (const Invocation& invocation : invocations) {
    store::insert_invocation(*connection_, run, invocation);
  }
  connection_->add_row("imported (run, format, source, digest, measured_at)", run, from.format,
                       from.source, from.digest, from.measured_at);
  transaction.commit();
}

/// The first of them, where merged stores brought several.
std::optional<std::string> Store::find_imported(const std::string& digest) const {
  return connection_->value<std::string>(
      "SELECT run.id FROM imported JOIN run ON run.key = imported.run "
      "WHERE imported.digest = ?1 ORDER BY run.key LIMIT 1",
      digest);
}

void Store::add(const std::string& run_id, const Invocation& invocation) {
  WriteTransaction transaction(*connection_);
  store::insert_invocation(*connection_, store::find_run(*connection_, run_id), invocation);
  transaction.commit();
}

std::vector<std::string> Store::problems() const {
  return store::problems(*connection_);
}

// ---- pins: the events are the truth, the view `baseline` their present state

void Store::pin(const Baseline& baseline) {
  if (baseline.name.empty() || baseline.oid.empty()) {
    throw UsageError("a pin requires a name and a commit", baseline.name + baseline.oid,
                     "perf-compare pin NAME REV");
  }
  WriteTransaction transaction(*connection_);
  connection_->add_row("pin_event (action, name, oid, reason, at)", "pin", baseline.name,
                       baseline.oid, baseline.reason, baseline.pinned_at);
  transaction.commit();
}

bool Store::unpin(const std::string& name, const std::string& at, const std::string& reason) {
  WriteTransaction transaction(*connection_);
  const auto oid =
      connection_->value<std::string>("SELECT oid FROM baseline WHERE name = ?1", name);
  if (!oid) {
    return false;
  }
  connection_->add_row("pin_event (action, name, oid, reason, at)", "unpin", name, *oid, reason,
                       at);
  transaction.commit();
  return true;
}

std::vector<Baseline> Store::pins() const {
  return connection_->records<Baseline>(
      "SELECT name, oid, reason, pinned_at FROM baseline ORDER BY name",
      [](Statement& row, Baseline& pin) {
        row.read(pin.name, pin.oid, pin.reason, pin.pinned_at);
      });
}

std::vector<PinEvent> Store::pin_events() const {
  return connection_->records<PinEvent>(
      "SELECT action = 'pin', name, oid, reason, at FROM pin_event ORDER BY key",
      [](Statement& row, PinEvent& event) {
        row.read(event.pinned, event.name, event.oid, event.reason, event.at);
      });
}

}  // namespace perf
