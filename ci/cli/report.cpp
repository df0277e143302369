#include "ci/cli/report.h"

#include <cstdio>
#include <string>
#include <vector>

#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/collect.h"
#include "ci/cli/collection_output.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/find_run.h"
#include "ci/cli/output.h"
#include "ci/cli/report_of_run.h"
#include "ci/cli/report_output.h"
#include "ci/cli/stored_collection.h"
#include "reporter/escape/terminal.h"
#include "schema/short_oid.h"

namespace perf {
namespace {

std::string short_id(const ListedRun& run) {
  return run.id.substr(0, kShortOid);
}

/// Without an ID, which one it is has to be said.
ListedRun chosen_run(const Store& store, const Options& options) {
  if (!options.run.empty()) {
    return store.listed_run(require_run(store, options.run));
  }
  const std::optional<std::string> latest = store.latest_comparison();
  if (!latest) {
    throw UsageError(
        "the store holds no finished comparison", "report",
        "perf-compare list shows the runs there are; name one: perf-compare report ID");
  }
  ListedRun run = store.listed_run(*latest);
  if (!options.quiet) {
    std::fprintf(stderr, "report: the latest comparison, %s of %s\n",
                 reporter::terminal_text(short_id(run)).c_str(),
                 reporter::terminal_text(run.started_at).c_str());
  }
  return run;
}

/// Runs whose verdicts, if any, are not about a change between two revisions.
void refuse_what_is_no_report(const ListedRun& run) {
  const std::string show = "its processes: perf-compare show " + short_id(run);
  if (run.kind == "calibrate") {
    throw UsageError("this run is a calibration, not a comparison", run.id,
                     "the latest of this machine: perf-compare calibrate --show\n" + show);
  }
  if (run.kind == "selftest") {
    throw UsageError("this run is an arm of a self-test, with changes planted on purpose", run.id,
                     show);
  }
  if (run.kind == "import") {
    throw UsageError("this run was imported: it is history, not a comparison", run.id,
                     "perf-compare trend\n" + show);
  }
  if (run.kind == "bisect" && !run.verdict) {
    throw UsageError("this run is a visit of a bisection, which has no report of its own", run.id,
                     "the same perf-compare bisect command again shows the bisection\n" + show);
  }
}

int write_collection(const ReportOfRun& run, const Options& options) {
  const Collection collection = collection_of(run);
  const std::vector<Error> errors = write_outputs(collection, options);
  for (const Error& error : errors) {
    print_error(error);
  }
  return errors.empty() ? exit_code(collection) : static_cast<int>(kNotMeasured);
}

/// A collection has no test cases, no families of metrics and no pictures.
void refuse_formats_of_comparisons(const Options& options) {
  for (const auto& [option, file] : {std::pair{"--junit", &options.junit},
                                     {"--openmetrics", &options.openmetrics},
                                     {"--plots", &options.plots}}) {
    if (!file->empty()) {
      throw UsageError("a run of collect is not shown in this format", option,
                       "perf-compare trend writes it for a whole history");
    }
  }
}

}  // namespace

int report_command(const Options& options, Spawner& spawner) {
  check_outputs(options);
  const Store store(store_to_look_into(options, spawner));
  const ListedRun chosen = chosen_run(store, options);
  refuse_what_is_no_report(chosen);
  if (chosen.kind == "collect") {
    refuse_formats_of_comparisons(options);
  }
  const ReportOfRun run = report_of_run(store, chosen.id);
  if (chosen.kind == "collect") {
    return write_collection(run, options);
  }
  const std::vector<Error> errors = write_outputs(
      run.report, [&run] { return measured_workloads(run.plan, run.history); }, options);
  for (const Error& error : errors) {
    print_error(error);
  }
  const int code = exit_code(run.report, options.strict);
  return code != kRegression && !errors.empty() ? static_cast<int>(kNotMeasured) : code;
}

}  // namespace perf
