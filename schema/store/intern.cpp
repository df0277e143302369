// Rows that many others share. Nothing is remembered between transactions: another process may
// prune, and a row of a transaction that was rolled back is not there.

#include <map>

#include "schema/store/json_text.h"
#include "schema/store/records.h"

namespace perf::store {
namespace {

using Facts = std::map<std::string, std::string>;

const char* word(Better better) {
  return better == Better::lower ? "lower" : "higher";
}

Facts facts_of(Connection& connection, std::int64_t environment) {
  Facts facts;
  Statement rows = connection.query(
      "SELECT name, value FROM environment_fact WHERE environment = ?1", environment);
  for (std::string name, value; rows.next();) {
    rows.read(name, value);
    facts[name] = value;
  }
  return facts;
}

}  // namespace

std::int64_t intern_revision(Connection& connection, const Revision& revision) {
  if (const auto known =
          connection.value<std::int64_t>("SELECT key FROM revision WHERE oid = ?1", revision.oid)) {
    return *known;
  }
  const std::int64_t key = connection.insert(
      "INSERT INTO revision (oid, committed_at, author, subject) VALUES (?1, ?2, ?3, ?4)",
      revision.oid, revision.committed_at, revision.author, revision.subject);
  for (std::size_t i = 0; i < revision.parents.size(); ++i) {
    connection.run("INSERT INTO parent (revision, idx, oid) VALUES (?1, ?2, ?3)", key, i,
                   revision.parents[i]);
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
      if (facts_of(connection, key) == environment.machine) {
        return key;
      }
    }
  }
  const std::int64_t key = connection.insert("INSERT INTO environment (fingerprint) VALUES (?1)",
                                             environment.fingerprint);
  for (const auto& [name, value] : environment.machine) {
    connection.run("INSERT INTO environment_fact (environment, name, value) VALUES (?1, ?2, ?3)",
                   key, name, value);
  }
  return key;
}

std::int64_t intern_workload(Connection& connection, const Workload& workload) {
  const std::string params = to_json(workload.params);
  const std::string command = to_json(workload.command);
  const auto known = connection.value<std::int64_t>(
      "SELECT key FROM workload WHERE name = ?1 AND params = ?2 AND command = ?3 AND format = ?4 "
      "AND timeout = ?5",
      workload.name, params, command, workload.format, workload.timeout);
  return known ? *known
               : connection.insert(
                     "INSERT INTO workload (name, params, command, format, timeout) "
                     "VALUES (?1, ?2, ?3, ?4, ?5)",
                     workload.name, params, command, workload.format, workload.timeout);
}

std::int64_t intern_metric(Connection& connection, const Metric& metric) {
  const auto known = connection.value<std::int64_t>(
      "SELECT key FROM metric WHERE name = ?1 AND unit = ?2 AND better = ?3", metric.name,
      metric.unit, word(metric.better));
  return known ? *known
               : connection.insert("INSERT INTO metric (name, unit, better) VALUES (?1, ?2, ?3)",
                                   metric.name, metric.unit, word(metric.better));
}

std::int64_t intern_name(Connection& connection, const std::string& name) {
  const auto known = connection.value<std::int64_t>("SELECT key FROM name WHERE name = ?1", name);
  return known ? *known : connection.insert("INSERT INTO name (name) VALUES (?1)", name);
}

std::int64_t intern_declaration(Connection& connection, const Block& block) {
  const std::string params = to_json(block.params);
  const std::string facts = to_json(block.facts);
  const auto known = connection.value<std::int64_t>(
      "SELECT key FROM declaration WHERE workload = ?1 AND params = ?2 AND facts = ?3 "
      "AND tokens_per_step IS ?4",
      block.workload, params, facts, block.tokens_per_step);
  return known ? *known
               : connection.insert(
                     "INSERT INTO declaration (workload, params, facts, tokens_per_step) "
                     "VALUES (?1, ?2, ?3, ?4)",
                     block.workload, params, facts, block.tokens_per_step);
}

}  // namespace perf::store
