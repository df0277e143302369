#include "ci/cli/output/end_command.h"

#include <algorithm>
#include <cstddef>

#include "analyzer/rows/comparison_rows.h"
#include "ci/cli/run/signals.h"

namespace perf {
namespace {

bool any_with(const std::vector<Comparison>& comparisons, Verdict verdict) {
  return std::ranges::any_of(
      comparisons, [verdict](const Comparison& c) { return c.judged && c.verdict == verdict; });
}

bool misses_a_target(const Report& report) {
  return std::ranges::any_of(report.targets, [](const TargetResult& t) { return t.met == false; });
}

/// The exit code by the report.
int code_of_report(const Report& report, const Options& options) {
  return unless_interrupted(options.git_bisect ? git_bisect_code(report)
                                               : exit_code(report, options.strict));
}

}  // namespace

int exit_code(const Report& report, bool strict) {
  // A base commit may be older than the benchmark, but a base command has failed.
  const bool lacks_base = is_command(report.head) &&
                          std::ranges::find(report.comparisons, Verdict::fresh,
                                            &Comparison::verdict) != report.comparisons.end();
  const bool lacks = any_with(report.comparisons, Verdict::failed) || report.nothing_ran ||
                     lacks_base || !report.missing_shards.empty();
  if (report.shard) {  // report --join judges it
    return lacks ? kNotMeasured : kFine;
  }
  if (any_with(report.comparisons, Verdict::regressed) || has_new_check_failure(report) ||
      misses_a_target(report)) {
    return kRegression;
  }
  if (lacks || compares_nothing(report)) {
    return kNotMeasured;
  }
  const auto is_open = [&report](Verdict verdict) { return any_with(report.comparisons, verdict); };
  return strict && (is_open(Verdict::inconclusive) || is_open(Verdict::incomparable) ||
                    is_open(Verdict::missing))
             ? kUndecided
             : kFine;
}

int exit_code(const Collection& collection) {
  const auto skipped = static_cast<std::size_t>(count_of(collection, CollectedStatus::skipped) +
                                                count_of(collection, CollectedStatus::same));
  if (skipped == collection.commits.size()) {
    return kFine;
  }
  bool anything = skipped > 0, failed = false;
  for (const CollectedCommit& commit : collection.commits) {
    for (const CollectedWorkload& workload : commit.workloads) {
      anything = anything || workload.invocations > 0;
      failed = failed || workload.status == CollectedStatus::failed;
    }
  }
  return !anything || (failed && !collection.is_range) ? kNotMeasured : kFine;
}

int git_bisect_code(const Report& report) {
  if (any_with(report.comparisons, Verdict::regressed)) {
    return kBisectBad;
  }
  bool any = false, all_good = !has_new_check_failure(report);
  for (const Comparison& one : report.comparisons) {
    // One-sided workloads do not count.
    if (one.judged && one.verdict != Verdict::missing && one.verdict != Verdict::fresh) {
      any = true;
      all_good =
          all_good && (one.verdict == Verdict::unchanged || one.verdict == Verdict::improved);
    }
  }
  return any && all_good ? kBisectGood : kBisectSkip;
}

int unless_interrupted(int code) {
  return is_interrupted() ? kSignalled + interruption() : code;
}

int git_bisect_code(int code) {
  return code >= kSignalled ? code : static_cast<int>(kBisectSkip);
}

int end_command(const std::vector<Error>& unwritten, int code) {
  for (const Error& error : unwritten) {
    print_error(error);
  }
  return unless_interrupted(
      unwritten.empty() || code == kRegression ? code : static_cast<int>(kNotMeasured));
}

int end_command(const Renderings& renderings, const Options& options, int code) {
  return end_command(write_outputs(renderings, options), code);
}

int end_command(const Report& report, const MeasuredBehind& measured, const Options& options) {
  std::vector<MeasuredWorkload> behind;
  if (measured && (!options.html.empty() || !options.plots.empty())) {
    behind = measured();
  }
  const int code = code_of_report(report, options);
  Renderings renderings = page_renderings_of(report, render_json);
  renderings.html = [&] { return render_html(report, behind); };
  renderings.junit = [&] { return render_junit(report); };
  renderings.openmetrics = [&] { return render_openmetrics(report); };
  renderings.plots = [&] { return plots(report, behind); };
  renderings.github.annotations = [&] { return render_github_annotations(report); };
  renderings.github.outputs = [&] { return render_github_outputs(report, code); };
  const int ended = end_command(renderings, options, code);
  return options.git_bisect && !is_interrupted() ? code : ended;
}

int end_command(const Collection& collection, const Options& options) {
  return end_command(page_renderings_of(collection, render_collection_json), options,
                     exit_code(collection));
}

}  // namespace perf
