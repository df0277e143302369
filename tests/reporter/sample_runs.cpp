#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

std::string or_else(const std::string& text, const char* usual) {
  return text.empty() ? usual : text;
}

ListedRun listed(const std::string& id, RunKind kind, const char* verdict,
                 const std::string& text) {
  ListedRun run;
  run.id = id;
  run.kind = kind;
  run.started_at = "2026-01-31T12:00:00Z";
  run.size = "ci";
  run.tool_version = "0.5.0";
  run.base = ListedCommit{std::string(40, 'b'), or_else(text, "baseline"),
                          or_else(text, "Add the parser"), false};
  run.head = {std::string(40, 'a'), or_else(text, "."),
              or_else(text, "Compute more waves than were ever computed before"), true};
  if (*verdict != '\0') {
    run.verdict = verdict;
    run.finished = true;
  }
  run.workloads = 4;
  run.processes = 1234;
  run.pairs = 600;
  return run;
}

ShownProcess process(std::int64_t order, Side side) {
  ShownProcess shown;
  shown.start_order = order;
  shown.workload = "training/mlp_stack";
  shown.side = side;
  shown.pair = static_cast<int>(order / 2);
  shown.exit_code = 0;
  shown.wall = 0.25;
  shown.blocks = 1;
  shown.steps = 8;
  shown.step_time = 0.0125;
  shown.peak_rss = 100 << 20;
  return shown;
}

}  // namespace

RunList listed_runs(const std::string& text) {
  RunList list;
  list.store = or_else(text, "/somewhere/.perf-compare/results.db");
  list.all = 40;
  list.more = true;
  list.runs = {listed(std::string(32, '1'), RunKind::compare, "regressed", text),
               listed(std::string(32, '2'), RunKind::compare, "inconclusive", text),
               listed(std::string(32, '3'), RunKind::compare, "", text),
               listed(std::string(32, '4'), RunKind::collect, "new", text),
               listed(std::string(32, '5'), RunKind::imported, "", text)};
  list.runs[1].interrupted = true;
  list.runs[1].size = "smoke";
  list.runs[1].shard = Shard{2, 4};
  list.runs[3].base.reset();
  list.runs[4].base.reset();
  list.runs[4].finished = true;
  list.runs[4].source = or_else(text, "out.json");
  if (!text.empty()) {
    list.runs[0].id = list.runs[0].size = text;
    list.runs[0].started_at = list.runs[0].tool_version = text;
    list.workloads = {text};
  }
  return list;
}

RunView shown_run(const std::string& text) {
  RunView view;
  view.run = listed(std::string(32, '1'), RunKind::compare, "failed", text);
  view.plan.base = Revision{};
  view.plan.base->oid = std::string(40, 'b');
  view.plan.base->subject = or_else(text, "Add the parser");
  view.plan.head.oid = std::string(40, 'a');
  view.plan.head.subject = or_else(text, "Compute more waves");
  view.plan.environment.fingerprint = "f1e2d3";
  view.plan.environment.machine = {{"cpu_model", or_else(text, "Xeon")}, {"cores_allowed", "2"}};
  view.plan.environment.facts = {{"governor", or_else(text, "performance")}};
  view.plan.seed = 7;
  view.run.shard = view.plan.shard = Shard{2, 4};
  view.plan.host = std::string(32, 'c');
  view.plan.digest = std::string(16, 'd');
  view.plan.attempt = 2;
  view.plan.warnings = {
      {WarningKind::failed, {}, {{"why", or_else(text, "3 uncommitted files are not measured")}}}};
  view.plan.missing = {or_else(text, "gone")};
  PlannedWorkload planned;
  planned.workload.name = or_else(text, "training/mlp_stack");
  planned.workload.command = {"build/bin/perf-workloads", or_else(text, "run")};
  planned.workload.params = {{"layers", std::int64_t{4}}};
  view.plan.workloads = {planned, planned};
  view.plan.workloads[1].head_failed = or_else(text, "its build failed: exit code 1");
  view.measured = 12.5;
  view.processes = {process(0, Side::base), process(1, Side::head), process(2, Side::head),
                    process(3, Side::base)};
  view.processes[1].failure = or_else(text, "exit code 7");
  view.processes[1].exit_code = 7;
  view.processes[1].step_time.reset();
  view.processes[1].peak_rss.reset();
  view.processes[1].stderr_text =
      std::string(500, 'x') + "\n" + or_else(text, "model.bin is missing");
  view.processes[2].attempt = 2;
  view.processes[2].pruned = true;
  view.medians = {{or_else(text, "training/mlp_stack"), Side::base, 1, 0.0125, 100 << 20},
                  {or_else(text, "training/mlp_stack"), Side::head, 1, 0.015, std::nullopt}};
  view.processes[3].apart = "counted";
  view.processes[3].workload = or_else(text, "training/mlp_stack");
  return view;
}

RevisionView shown_revision(const std::string& text) {
  RevisionView view;
  view.revision.oid = std::string(40, 'a');
  view.revision.subject = or_else(text, "Compute more waves");
  view.revision.author = or_else(text, "Ada");
  view.revision.committed_at = 1'700'000'000;
  view.runs = listed_runs(text).runs;
  view.more = true;
  ShownMetric series;
  series.workload = or_else(text, "training/mlp_stack");
  series.metric = kStepTime;
  series.size = "ci";
  series.fingerprint = or_else(text, "f1e2d3");
  series.machine = or_else(text, "Xeon");
  series.processes = 12;
  series.runs = 2;
  series.median = 0.0125;
  series.min = 0.012;
  series.max = 0.02;
  series.noise = 0.013;
  view.series = {series, series, series};
  view.series[1].fingerprint = "another";
  view.series[1].processes = 1;
  view.series[1].noise.reset();
  view.series[1].metric = kPeakRss;
  view.series[1].median = 104857600;
  view.series[2].params = {{"layers", or_else(text, "two")}, {"n", std::int64_t{4}}};
  view.series[2].median = 0.025;
  return view;
}

}  // namespace perf::samples
