#include "reporter/json/values.h"
#include "reporter/render.h"
#include "reporter/sentences.h"

namespace perf {

static void fields(JsonWriter& visit, const ListedCommit& record) {
  PERF_FIELDS(oid, name, subject, dirty)
}

static void fields(JsonWriter& visit, const ListedRun& record) {
  PERF_FIELDS(id, kind, started_at, size, base, head, verdict, finished, interrupted, workloads,
              processes, pairs)
  visit.within("tool", [&](JsonWriter& tool) { tool("version", record.tool_version); });
  visit.or_null("source", record.source);
}

static void fields(JsonWriter& visit, const RunList& record) {
  PERF_FIELDS(store, workloads, all, more, runs)
}

static void fields(JsonWriter& visit, const PlannedWorkload& record) {
  visit("name", record.workload.name);
  visit("params", record.workload.params);
  visit("command", record.workload.command);
  visit("format", record.workload.format);
  visit("timeout", record.workload.timeout);
  PERF_FIELDS(base_params)
  visit.or_null("base_missing", record.base_missing);
  visit.or_null("head_failed", record.head_failed);
  visit.or_null("control_of", record.control_of);
}

static void fields(JsonWriter& visit, const ShownProcess& record) {
  PERF_FIELDS(start_order, workload, side, pair, attempt, paired, exit_code, signal, timed_out,
              wall, blocks, steps, step_time, pruned, peak_rss)
  visit.or_null("apart", record.apart);
  visit.or_null("failure", record.failure);
  visit.or_null("stdout", record.stdout_text);
  visit.or_null("stderr", record.stderr_text);
}

static void fields(JsonWriter& visit, const ShownMedian& record) {
  PERF_FIELDS(workload, side, processes, step_time, peak_rss)
}

static void fields(JsonWriter& visit, const ShownMetric& record) {
  fields(visit, record.metric);
  PERF_FIELDS(workload, params, size, fingerprint, processes, runs, median, min, max, noise)
  visit.or_null("machine", record.machine);
}

static void fields(JsonWriter& visit, const RunView& record) {
  const Plan& plan = record.plan;
  PERF_FIELDS(run, policy, measured, medians, processes)
  visit("base", plan.base);
  visit("head", plan.head);
  visit("environment", plan.environment);
  visit("seed", plan.seed);
  visit("missing", plan.missing);
  visit("warnings", reporter::sentences(plan.warnings));
  visit("workloads", plan.workloads);
}

static void fields(JsonWriter& visit,
                   const RevisionView& record){PERF_FIELDS(revision, runs, more, series)}

std::string render_run_list_json(const RunList& list) {
  return reporter::document_of("list", list);
}

std::string render_run_json(const RunView& view) {
  return reporter::document_of("run", view);
}

std::string render_revision_json(const RevisionView& view) {
  return reporter::document_of("revision", view);
}

}  // namespace perf
