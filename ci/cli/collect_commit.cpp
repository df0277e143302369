#include "ci/cli/collect_commit.h"

#include <algorithm>
#include <utility>

#include "analyzer/analyze.h"
#include "analyzer/collect/collect_demand.h"
#include "analyzer/collect/collected_workloads.h"
#include "analyzer/samples/standing.h"
#include "ci/cli/clock.h"
#include "ci/cli/interruption.h"
#include "ci/cli/reproduce.h"
#include "collector/build/build_cache.h"
#include "collector/process/workload_runner.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

/// A run of the workloads of which something is lacking at a commit.
struct CollectRun {
  PlannedRun run;
  std::vector<int> wanted{};          ///< by workload of the run
  std::vector<std::size_t> places{};  ///< of these in the whole list
};

/// What is wanted of one workload. Where the anchor was seen not to run it, what was measured
/// without the anchor counts.
int wanted_of(const CollectWork& work, const CollectVisit& visit, std::size_t workload) {
  if (work.anchor_lacks.count(workload) == 0) {
    return visit.wanted[workload];
  }
  const int alone = work.alone_before[visit.commit][workload].good;
  return std::min(visit.wanted[workload], std::max(work.collection.wanted - alone, 0));
}

CollectRun run_of(const CollectWork& work, const CollectVisit& visit) {
  CollectRun chosen{
      plan_between(work.session.repository, work.end, work.anchor, work.line[visit.commit])};
  Plan& plan = chosen.run.plan;
  plan.purpose = Purpose::collect;
  std::vector<PlannedWorkload> workloads;
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const int wanted = wanted_of(work, visit, i);
    if (wanted == 0) {
      continue;
    }
    workloads.push_back(plan.workloads[i]);
    chosen.wanted.push_back(wanted);
    chosen.places.push_back(i);
  }
  plan.workloads = std::move(workloads);
  return chosen;
}

/// Remembers which workloads the anchor turned out not to run.
void learn_of_anchor(CollectWork& work, const CollectRun& chosen, const History& history,
                     const Policy& policy) {
  if (!work.anchor) {
    return;
  }
  const Standing standing = standing_of(chosen.run.plan, history, policy);
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate == Fate::alone) {
      work.anchor_lacks.insert(chosen.places[workload.index]);
    }
  }
}

/// Builds both sides; that something is built already is no news in a range.
Checkouts build_quietly(const CollectWork& work, PlannedRun& run, ProgressView& progress) {
  const std::string no_news = " is built already";
  const auto say = [&](const std::string& line) {
    if (line.size() < no_news.size() ||
        line.compare(line.size() - no_news.size(), no_news.size(), no_news) != 0) {
      progress.say("  " + line);
    }
  };
  Checkouts checkouts =
      prepare(run, work.session.repository, build_cache_folder(environment_variable),
              work.session.run_process, say, [] { return interruption() != 0; });
  apply_failures(checkouts, run.plan);
  for (const std::string& warning : run.plan.warnings) {
    progress.say("  warning: " + warning);
  }
  return checkouts;
}

/// What was measured of a commit, for the reader.
void record(const CollectRun& chosen, const Checkouts& checkouts, const History& history,
            const Policy& policy, CollectedCommit& commit) {
  commit.run_id = chosen.run.plan.run_id;
  commit.failure = checkouts.head.failure.empty() ? "" : told(checkouts.head);
  commit.workloads = collected_workloads(chosen.run.plan, history, policy, chosen.wanted);
  commit.status = status_of(commit.workloads);
}

/// The report that is stored with the run, so that it counts as finished.
Report report_of(const CollectWork& work, const PlannedRun& run, const History& history,
                 const Policy& policy) {
  Report report = analyze(run.plan, history, policy, {});
  report.generated_at = utc_now();
  report.tool_version = PERF_COMPARE_VERSION;
  report.config_source = work.end.config_source;
  const Options& options = work.session.options;
  report.reproduce = {"perf-compare collect " + run.plan.head.oid +
                      (options.anchor.empty() ? "" : " --anchor " + shell_word(options.anchor)) +
                      " --size " + run.plan.size + deciding_options(options) + " --seed " +
                      std::to_string(work.end.plan.seed)};
  return report;
}

void tell(const CollectedCommit& commit, ProgressView& progress) {
  if (!commit.failure.empty()) {
    return progress.say("  cannot be measured: " + commit.failure);
  }
  for (const CollectedWorkload& workload : commit.workloads) {
    if (!workload.failure.empty()) {
      progress.say("  " + workload.workload + ": " + workload.failure);
    }
  }
}

}  // namespace

void collect_commit(CollectWork& work, const CollectVisit& visit, ProgressView& progress,
                    ProgressView& processes) {
  CollectedCommit& commit = work.collection.commits[visit.commit];
  CollectRun chosen = run_of(work, visit);
  if (chosen.wanted.empty()) {
    commit.status = CollectedStatus::skipped;
    return;
  }
  PlannedRun& run = chosen.run;
  const Checkouts checkouts = build_quietly(work, run, progress);
  if (interruption() != 0) {
    return;
  }
  Policy policy = work.policy;
  policy.budget = work.budget_left();
  work.session.store.begin_run(run.plan, policy, PERF_COMPARE_VERSION);
  WorkloadRunner runner(work.session.run_process);
  History history;
  measure(
      work.session, run.plan, checkouts, runner, processes,
      [&](const History& now) { return next_collection(run.plan, now, policy, chosen.wanted); },
      history);
  work.session.store.finish_run(report_of(work, run, history, policy), history.budget_spent);
  work.collection.measured += history.measured;
  work.collection.budget_spent = work.collection.budget_spent || history.budget_spent;
  learn_of_anchor(work, chosen, history, policy);
  record(chosen, checkouts, history, policy, commit);
  tell(commit, progress);
}

}  // namespace perf
