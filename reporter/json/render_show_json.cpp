#include <string>
#include <utility>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {
namespace {

using reporter::Json;
using reporter::json_number;
using reporter::json_of;
using reporter::text_or_null;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json commit_json(const ListedCommit& commit) {
  return {{"oid", commit.oid},
          {"name", commit.name},
          {"subject", commit.subject},
          {"dirty", commit.dirty}};
}

Json run_json(const ListedRun& run) {
  return {{"id", run.id},
          {"kind", run.kind},
          {"started_at", run.started_at},
          {"size", run.size},
          {"tool", {{"version", run.tool_version}}},
          {"base", run.base ? commit_json(*run.base) : Json(nullptr)},
          {"head", commit_json(run.head)},
          {"verdict", or_null(run.verdict)},
          {"finished", run.finished},
          {"interrupted", run.interrupted},
          {"workloads", run.workloads},
          {"processes", run.processes},
          {"pairs", run.pairs},
          {"source", text_or_null(run.source)}};
}

Json runs_json(const std::vector<ListedRun>& runs) {
  Json list = Json::array();
  for (const ListedRun& run : runs) {
    list.push_back(run_json(run));
  }
  return list;
}

Json workload_json(const PlannedWorkload& planned) {
  return {{"name", planned.workload.name},
          {"params", json_of(planned.workload.params)},
          {"base_params", planned.base_params ? json_of(*planned.base_params) : Json(nullptr)},
          {"command", planned.workload.command},
          {"format", planned.workload.format},
          {"timeout", json_number(planned.workload.timeout)},
          {"base_missing", text_or_null(planned.base_missing)},
          {"head_failed", text_or_null(planned.head_failed)},
          {"control_of", text_or_null(planned.control_of)}};
}

Json process_json(const ShownProcess& process) {
  return {{"start_order", process.start_order},
          {"workload", process.workload},
          {"side", process.side == Side::base ? "base" : "head"},
          {"pair", process.pair},
          {"attempt", process.attempt},
          {"paired", process.paired},
          {"apart", text_or_null(process.apart)},
          {"exit_code", or_null(process.exit_code)},
          {"signal", or_null(process.signal)},
          {"timed_out", process.timed_out},
          {"failure", text_or_null(process.failure)},
          {"wall", json_number(process.wall)},
          {"blocks", process.blocks},
          {"steps", process.steps},
          {"step_time", json_number(process.step_time)},
          {"pruned", process.pruned},
          {"peak_rss", or_null(process.peak_rss)},
          {"stdout", text_or_null(process.stdout_text)},
          {"stderr", text_or_null(process.stderr_text)}};
}

Json median_json(const ShownMedian& median) {
  return {{"workload", median.workload},
          {"side", median.side == Side::base ? "base" : "head"},
          {"processes", median.processes},
          {"step_time", json_number(median.step_time)},
          {"peak_rss", json_number(median.peak_rss)}};
}

Json series_json(const ShownSeries& series) {
  return {{"workload", series.workload},
          {"params", json_of(series.params)},
          {"metric", series.metric.name},
          {"unit", series.metric.unit},
          {"better", series.metric.better == Better::lower ? "lower" : "higher"},
          {"size", series.size},
          {"fingerprint", series.fingerprint},
          {"machine", text_or_null(series.machine)},
          {"processes", series.processes},
          {"runs", series.runs},
          {"median", json_number(series.median)},
          {"min", json_number(series.min)},
          {"max", json_number(series.max)},
          {"noise", json_number(series.noise)}};
}

}  // namespace

std::string render_run_list_json(const RunList& list) {
  return reporter::json_text({{"schema", "perf-compare/list/1"},
                              {"store", list.store},
                              {"workloads", list.workloads},
                              {"all", list.all},
                              {"more", list.more},
                              {"runs", runs_json(list.runs)}});
}

std::string render_run_json(const RunView& view) {
  Json workloads = Json::array(), processes = Json::array(), medians = Json::array();
  for (const PlannedWorkload& planned : view.plan.workloads) {
    workloads.push_back(workload_json(planned));
  }
  for (const ShownProcess& process : view.processes) {
    processes.push_back(process_json(process));
  }
  for (const ShownMedian& median : view.medians) {
    medians.push_back(median_json(median));
  }
  return reporter::json_text({{"schema", "perf-compare/run/1"},
                              {"run", run_json(view.run)},
                              {"base", json_of(view.plan.base)},
                              {"head", json_of(view.plan.head)},
                              {"environment",
                               {{"fingerprint", view.plan.environment.fingerprint},
                                {"machine", view.plan.environment.machine},
                                {"facts", view.plan.environment.facts}}},
                              {"seed", view.plan.seed},
                              {"policy", json_of(view.policy)},
                              {"missing", view.plan.missing},
                              {"warnings", view.plan.warnings},
                              {"measured", json_number(view.measured)},
                              {"workloads", std::move(workloads)},
                              {"medians", std::move(medians)},
                              {"processes", std::move(processes)}});
}

std::string render_revision_json(const RevisionView& view) {
  Json series = Json::array();
  for (const ShownSeries& one : view.series) {
    series.push_back(series_json(one));
  }
  return reporter::json_text({{"schema", "perf-compare/revision/1"},
                              {"revision", json_of(view.revision)},
                              {"runs", runs_json(view.runs)},
                              {"more", view.more},
                              {"series", std::move(series)}});
}

}  // namespace perf
