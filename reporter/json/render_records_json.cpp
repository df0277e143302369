#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "reporter/json/values.h"
#include "reporter/render.h"
#include "reporter/text/sentences.h"
#include "schema/text/lists.h"

namespace perf {

// Documents that are the fields of a record.

static void fields(JsonWriter& visit, const CollectedValue& record) {
  PERF_FIELDS(median, min, max)
}

static void fields(JsonWriter& visit, const CollectedWorkload& record) {
  PERF_FIELDS(workload, params, status, step_time, peak_rss, invocations, pairs, change, interval)
  visit.or_null("failure", record.failure);
}

static void fields(JsonWriter& visit, const CollectedCommit& record) {
  visit("oid", record.revision.oid);
  visit("subject", record.revision.subject);
  visit.time("committed_at", record.revision.committed_at);
  visit("name", record.revision.name);
  visit.or_null("run", record.run_id);
  visit.or_null("failure", record.failure);
  PERF_FIELDS(status, measured, workloads)
}

static void fields(JsonWriter& visit, const Collection& record) {
  origin_fields(visit, record);
  PERF_FIELDS(asked, anchor, fingerprint, size, wanted, commits, measured, interrupted,
              budget_spent)
  visit("left", count_of(record, CollectedStatus::left));
  visit.or_null("go_on", record.go_on);
}

std::string render_collection_json(const Collection& collection) {
  return reporter::document_of("collection", collection);
}

/// Relative, of gains in ln.
static double relative(double gain) {
  return std::expm1(gain);
}

static void end_fields(JsonWriter& visit, const RatchetEnd& end) {
  visit("outcome", end.outcome);
  visit.or_null("reason", end.reason);
  visit("pairs", static_cast<int>(end.gains.size()));
  visit("gain", end.gains.empty() ? std::nullopt : std::optional(relative(end.estimate)));
  visit("pair_gains", mapped(end.gains, relative));
  visit("evidence", end.evidence);
  visit("guarded", mapped(end.guarded, [](GuardedSeries one) {
          one.gains = mapped(one.gains, relative);
          one.gain = relative(one.gain);
          return one;
        }));
}

static void fields(JsonWriter& visit, const RatchetRun& record) {
  visit("attempt",
        record.is_attempt && record.number > 0 ? std::optional(record.number) : std::nullopt);
  visit.or_null("run", record.run_id);
  visit.or_null("started_at", record.started_at);
  PERF_FIELDS(goal, best, head)
  visit.or_null("best_program", record.best_program);
  visit.or_null("head_program", record.head_program);
  if (record.end) {
    end_fields(visit, *record.end);
  } else {
    visit("outcome", std::optional<std::string>());
  }
}

/// A measurement of the whole gain.
static Json whole_gain_json(const RatchetRun& run) {
  Json json = Json::object();
  JsonWriter visit(json);
  visit("run", run.run_id);
  visit("start", run.best.oid);
  visit("best", run.head.oid);
  visit("pairs", static_cast<int>(run.end ? run.end->gains.size() : 0));
  const bool is_known = run.end && run.end->interval;
  visit("gain", is_known ? std::optional(relative(run.end->estimate)) : std::nullopt);
  visit("interval", is_known ? std::optional(Interval{relative(run.end->interval->low),
                                                      relative(run.end->interval->high)})
                             : std::nullopt);
  return json;
}

static void fields(JsonWriter& visit, const RatchetAnswer& record) {
  origin_fields(visit, record);
  visit("name", record.run.name);
  fields(visit, record.run);
  visit("repeated", record.is_repeated);
  visit("level", record.level > 0 ? std::optional(record.level) : std::nullopt);
  PERF_FIELDS(measured)
}

std::string render_ratchet_json(const RatchetAnswer& answer) {
  Json document = json_of(answer);
  document["schema"] = "perf-compare/ratchet/1";
  document["whole_gain"] = answer.gain ? whole_gain_json(*answer.gain) : Json(nullptr);
  return reporter::json_text(document);
}

static void fields(JsonWriter& visit, const RatchetLog& record) {
  origin_fields(visit, record);
  PERF_FIELDS(name)
  visit("best", record.best.oid);
  visit("best_since", record.best.pinned_at);
  std::vector<RatchetRun> attempts;
  for (const RatchetRun& run : record.runs) {
    if (run.is_attempt) {
      attempts.push_back(run);
    }
  }
  visit("claimed", relative(claimed_gain(way_to(record.best.oid, record.runs))));
  visit("attempts", attempts);
}

std::string render_ratchet_log_json(const RatchetLog& log) {
  Json document = json_of(log);
  document["schema"] = "perf-compare/ratchet-log/1";
  document["whole_gains"] = Json::array();
  for (const RatchetRun& run : log.runs) {
    if (!run.is_attempt) {
      document["whole_gains"].push_back(whole_gain_json(run));
    }
  }
  return reporter::json_text(document);
}

static void fields(JsonWriter& visit, const HotFunction& record) {
  PERF_FIELDS(symbol, name, object, share)
}

static void fields(JsonWriter& visit, const Profile& record) {
  PERF_FIELDS(samples, step_time, functions)
  visit.or_null("problem", record.problem);
}

static void fields(JsonWriter& visit, const WorkloadProfile& record) {
  PERF_FIELDS(workload, base, head, changes)
}

static void fields(JsonWriter& visit,
                   const ProfileReport& record){PERF_FIELDS(base, head, workloads)}

std::string render_profile_json(const ProfileReport& report) {
  return reporter::document_of("profile", report);
}

static void fields(JsonWriter& visit, const Cause& record) {
  PERF_FIELDS(code, severity, what, why, remedy, needs_root)
}

static void fields(JsonWriter& visit, const Diagnosis& record) {
  origin_fields(visit, record);
  PERF_FIELDS(environment, watched, causes)
  visit.within("summary", [&](JsonWriter& summary) {
    for (const Severity severity : kSeverities) {
      summary(std::string(to_string(severity)),
              std::count_if(record.causes.begin(), record.causes.end(),
                            [&](const Cause& one) { return one.severity == severity; }));
    }
  });
}

std::string render_doctor_json(const Diagnosis& diagnosis) {
  return reporter::document_of("doctor", diagnosis);
}

static void fields(JsonWriter& visit, const Plant& record) {
  const bool known = record.way != PlantWay::none && record.amount > 0;
  PERF_FIELDS(kind, way)
  visit("amount", known ? std::optional(record.amount) : std::nullopt);
  visit("unit", std::string(record.kind == PlantKind::allocation ? "B" : "1"));
  visit("period",
        record.way == PlantWay::stop_and_go ? std::optional(record.period) : std::nullopt);
}

static void fields(JsonWriter& visit, const SelftestRow& record) {
  visit("metric", record.metric.name);
  visit("planted", record.plant);
  PERF_FIELDS(workload, expected, verdict, change, interval, threshold, pairs, seconds, outcome)
  visit("why", reporter::why_text(record));
}

static void fields(JsonWriter& visit, const Selftest& record) {
  origin_fields(visit, record);
  visit("alpha", record.policy.alpha);
  visit("planted_thresholds", kPlantedThresholds);
  PERF_FIELDS(runs, revision, environment, size, seed, measured, interrupted, state, rows)
}

std::string render_selftest_json(const Selftest& selftest) {
  return reporter::document_of("selftest", selftest);
}

static void fields(JsonWriter& visit, const ListedCommit& record) {
  PERF_FIELDS(oid, name, subject, dirty)
}

static void fields(JsonWriter& visit, const ListedRun& record) {
  PERF_FIELDS(id, kind, started_at, size, base, head, verdict, finished, interrupted, workloads,
              processes, pairs, shard)
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
  PERF_FIELDS(base_params, trace_record)
  visit.or_null("base_missing", record.base_missing);
  visit.or_null("head_failed", record.head_failed);
  visit.or_null("control_of", record.control_of);
  visit.or_null("outside", record.workload.outside);
  visit.or_null("cwd", record.workload.cwd);
  visit("env", mapped(record.workload.env, [](const auto& one) { return one.first; }));
  visit("prepare", record.workload.prepare);
  visit("serve", record.workload.serve);
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
  visit.or_null("outside", record.outside);
}

static void fields(JsonWriter& visit, const AuditRecord& record) {
  PERF_FIELDS(audits, alarmed)
}

static void fields(JsonWriter& visit, const RunView& record) {
  const Plan& plan = record.plan;
  PERF_FIELDS(run, policy, measured, medians, processes, audits, audit_record)
  visit("base", plan.base);
  visit("head", plan.head);
  visit("environment", plan.environment);
  visit("seed", plan.seed);
  visit("attempt", plan.attempt);
  visit.or_null("host", plan.host);
  visit.or_null("plan_digest", plan.digest);
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
