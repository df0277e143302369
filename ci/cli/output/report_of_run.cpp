#include "ci/cli/output/report_of_run.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "analyzer/analyze.h"
#include "analyzer/show/views.h"

namespace perf {
namespace {

/// s of the processes behind the verdicts; relinked builds were measured after them.
double measured_for_verdicts(const Measurements& measurements) {
  double measured = 0;
  for (const Invocation& invocation : measurements.invocations) {
    measured += invocation.is_timed() ? invocation.took : 0;
  }
  return measured;
}

Report analyzed_again(const ReportOfRun& run, const Policy& policy, bool unfinished) {
  Measurements measurements = run.measurements;
  measurements.measured = measured_for_verdicts(measurements);
  measurements.interrupted = measurements.interrupted || unfinished;
  return analyze(run.plan, measurements, policy, {});
}

std::size_t pruned_processes(const Measurements& measurements) {
  return static_cast<std::size_t>(
      std::ranges::count_if(measurements.invocations, [](const Invocation& invocation) {
        return std::ranges::any_of(invocation.blocks,
                                   [](const Block& block) { return block.pruned.has_value(); });
      }));
}

void warn_of_pruning(const Measurements& measurements, Report& report) {
  if (const std::size_t pruned = pruned_processes(measurements); pruned > 0) {
    report.warnings.push_back(
        {WarningKind::pruned,
         {{"pruned", pruned}, {"processes", measurements.invocations.size()}}});
  }
}

}  // namespace

ReportOfRun report_of_run(const Store& store, const std::string& id) {
  ReportOfRun run{{}, store.load_plan(id), store.load(id)};
  std::optional<Report> stored = store.load_report(id);
  const Policy policy = store.load_policy(id);
  const Report again = analyzed_again(run, policy, !stored);
  if (!stored) {
    run.report = again;
    const ListedRun listed = store.listed_run(id);
    run.report.generated_at = listed.started_at;
    run.report.tool_version = listed.tool_version;
    run.report.warnings.push_back({WarningKind::unfinished});
  } else {
    run.report = std::move(*stored);
    std::ranges::move(differences_from(run.report, again), std::back_inserter(run.report.warnings));
  }
  warn_of_pruning(run.measurements, run.report);
  return run;
}

}  // namespace perf
