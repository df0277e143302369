#include <string>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {
namespace {

using reporter::Json;
using reporter::json_number;
using reporter::json_of;
using reporter::text_or_null;

Json value_json(const std::optional<CollectedValue>& value) {
  if (!value) {
    return nullptr;
  }
  return {{"median", json_number(value->median)},
          {"min", json_number(value->min)},
          {"max", json_number(value->max)}};
}

Json workload_json(const CollectedWorkload& workload) {
  return {{"workload", workload.workload},
          {"params", json_of(workload.params)},
          {"status", std::string(to_string(workload.status))},
          {"step_time", value_json(workload.step_time)},
          {"peak_rss", value_json(workload.peak_rss)},
          {"invocations", workload.invocations},
          {"pairs", workload.pairs},
          {"change", json_number(workload.change)},
          {"interval", json_of(workload.interval)},
          {"failure", text_or_null(workload.failure)}};
}

Json commit_json(const CollectedCommit& commit) {
  Json workloads = Json::array();
  for (const CollectedWorkload& workload : commit.workloads) {
    workloads.push_back(workload_json(workload));
  }
  return {{"oid", commit.revision.oid},
          {"subject", commit.revision.subject},
          {"committed_at", reporter::json_time(commit.revision.committed_at)},
          {"name", commit.revision.name},
          {"run", text_or_null(commit.run_id)},
          {"status", std::string(to_string(commit.status))},
          {"failure", text_or_null(commit.failure)},
          {"workloads", std::move(workloads)}};
}

}  // namespace

std::string render_collection_json(const Collection& collection) {
  Json commits = Json::array();
  for (const CollectedCommit& commit : collection.commits) {
    commits.push_back(commit_json(commit));
  }
  return reporter::json_text({{"schema", "perf-compare/collection/1"},
                              {"asked", collection.asked},
                              {"generated_at", text_or_null(collection.generated_at)},
                              {"tool", {{"version", collection.tool_version}}},
                              {"anchor", json_of(collection.anchor)},
                              {"fingerprint", collection.fingerprint},
                              {"size", collection.size},
                              {"wanted", collection.wanted},
                              {"commits", std::move(commits)},
                              {"left", count_of(collection, CollectedStatus::left)},
                              {"measured", json_number(collection.measured)},
                              {"interrupted", collection.interrupted},
                              {"budget_spent", collection.budget_spent},
                              {"go_on", text_or_null(collection.go_on)}});
}

}  // namespace perf
