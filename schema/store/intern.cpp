// Rows that many others share. Nothing is remembered between transactions: another process may
// prune, and a row of a transaction that was rolled back is not there.

#include <string>
#include <vector>

#include "schema/store/internal.h"
#include "schema/text/text_parts.h"

namespace perf::store {
namespace {

/// The key of the row with these values, which is added where there is none.
template <class... Values>
std::int64_t find_or_add(Connection& connection, const std::string& table,
                         const std::vector<std::string>& columns, const Values&... values) {
  const std::string names = joined(columns, ", "), same = joined(columns, " IS ? AND ") + " IS ?";
  const auto known =
      connection.value<std::int64_t>("SELECT key FROM " + table + " WHERE " + same, values...);
  return known ? *known : connection.add_row(table + " (" + names + ")", values...);
}

}  // namespace

std::int64_t intern_revision(Connection& connection, const Revision& revision) {
  if (const auto known =
          connection.value<std::int64_t>("SELECT key FROM revision WHERE oid = ?1", revision.oid)) {
    return *known;
  }
  const std::int64_t key =
      connection.add_row("revision (oid, committed_at, author, subject)", revision.oid,
                         revision.committed_at, revision.author, revision.subject);
  for (std::size_t i = 0; i < revision.parents.size(); ++i) {
    connection.add_row("parent (revision, idx, oid)", key, i, revision.parents[i]);
  }
  return key;
}

std::int64_t intern_environment(Connection& connection, const Environment& environment) {
  {
    Statement rows = connection.query("SELECT key FROM environment WHERE fingerprint = ?1",
                                      environment.fingerprint);
    // The fingerprint is a hash that a stranger's store may have made up, so the facts decide.
    for (std::int64_t key = 0; rows.next();) {
      rows.read(key);
      if (connection.facts("SELECT name, value FROM environment_fact WHERE environment = ?1",
                           key) == environment.machine) {
        return key;
      }
    }
  }
  const std::int64_t key = connection.add_row("environment (fingerprint)", environment.fingerprint);
  for (const auto& [name, value] : environment.machine) {
    connection.add_row("environment_fact (environment, name, value)", key, name, value);
  }
  return key;
}

std::int64_t intern_workload(Connection& connection, const Workload& workload) {
  return find_or_add(connection, "workload",
                     {"name", "params", "command", "format", "timeout", "outside", "needs"},
                     workload.name, text_of(workload.params), text_of(workload.command),
                     workload.format, workload.timeout, workload.outside, needs_of(workload));
}

std::string needs_of(const Workload& workload) {
  if (workload.cwd.empty() && workload.env.empty() && workload.prepare.empty() && !workload.serve) {
    return {};
  }
  Json needs = json_of(workload);
  if (!workload.serve) {
    needs.erase("serve");
  }
  return one_line_of(needs);
}

void read_needs(const std::string& text, Workload& workload) {
  if (!text.empty()) {
    read_column(text, [&workload](const formats::JsonValue& json) {
      JsonRecordReader::read(json, "needs", workload, Absent::keeps_default);
    });
  }
}

std::int64_t intern_metric(Connection& connection, const Metric& metric) {
  return find_or_add(connection, "metric", {"name", "unit", "better"}, metric.name, metric.unit,
                     to_string(metric.better));
}

std::int64_t intern_name(Connection& connection, const std::string& name) {
  return find_or_add(connection, "name", {"name"}, name);
}

std::int64_t intern_declaration(Connection& connection, const Block& block) {
  return find_or_add(connection, "declaration", {"workload", "params", "facts", "tokens_per_step"},
                     block.workload, text_of(block.params), text_of(block.facts),
                     block.tokens_per_step);
}

}  // namespace perf::store
