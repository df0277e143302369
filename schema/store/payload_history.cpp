#include "schema/payload_history.h"

#include <algorithm>
#include <set>
#include <utility>

#include "schema/store/internal.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

using store::Connection;
using store::Statement;

std::vector<Revision> revisions_in(Connection& connection) {
  return connection.records<Revision>(
      "SELECT oid, committed_at, author, subject FROM revision ORDER BY key",
      [](Statement& row, Revision& revision) {
        row.read(revision.oid, revision.committed_at, revision.author, revision.subject);
      });
}

std::vector<PayloadRun> runs_in(Connection& connection) {
  std::vector<PayloadRun> runs;
  for (ListedRun& listed : store::load_runs(connection)) {
    PayloadRun& run = runs.emplace_back();
    run.listed = std::move(listed);
    const std::string& id = run.listed.id;
    Statement row = connection.query(
        "SELECT run.host, e.key, e.fingerprint, run.key FROM run JOIN environment AS e "
        "ON e.key = run.environment WHERE run.id = ?1",
        id);
    if (row.next()) {
      std::int64_t environment = 0, key = 0;
      row.read(run.host, environment, run.environment.fingerprint, key);
      run.environment.machine = connection.facts(
          "SELECT name, value FROM environment_fact WHERE environment = ?1", environment);
      run.facts = connection.facts("SELECT name, value FROM run_fact WHERE run = ?1", key);
    }
    run.planned = connection.values<std::string>(
        "SELECT DISTINCT w.name FROM run JOIN run_workload AS p ON p.run = run.key JOIN workload "
        "AS w ON w.key = p.workload WHERE run.id = ?1 AND p.control_of = '' ORDER BY 1",
        id);
    run.programs = store::load_programs(connection, "run.id = ?1", id);
  }
  std::ranges::reverse(runs);
  return runs;
}

}  // namespace

PayloadHistory history_of(std::span<const Payload> payloads) {
  PayloadHistory history;
  Connection gathered;
  history.refusals = store::gather_sound(gathered, payloads);
  history.revisions = revisions_in(gathered);
  history.runs = runs_in(gathered);
  history.alerts = store::load_alerts(gathered);
  std::vector<std::string> oids = mapped(history.revisions, &Revision::oid);
  std::set<std::string> sizes;
  for (const PayloadRun& run : history.runs) {
    sizes.insert(run.listed.size);
  }
  for (const std::string& size : sizes) {
    history.of_size[size] = store::load_recorded(gathered, {oids, size});
  }
  return history;
}

std::string stored_text(const Params& params) {
  return store::text_of(params);
}

std::string stored_text(const std::map<std::string, std::string>& facts) {
  return store::text_of(facts);
}

Params stored_params(const std::string& text) {
  return store::value_of<Params>(text);
}

std::map<std::string, std::string> stored_facts(const std::string& text) {
  return store::value_of<std::map<std::string, std::string>>(text);
}

}  // namespace perf
