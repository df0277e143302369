#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "analyzer/collect/collection.h"
#include "analyzer/samples/standing.h"
#include "ci/cli/clock.h"
#include "ci/cli/collect_work.h"
#include "ci/cli/commands.h"
#include "ci/cli/end_command.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/signals.h"
#include "reporter/sentences.h"
#include "schema/revision.h"

namespace perf {
namespace {

/// A run of the workloads of which something is lacking at a commit.
struct CollectRun {
  Run run;
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

CollectRun run_of(const CollectWork& work, const CollectVisit& visit, ProgressView& processes) {
  PlannedRun planned =
      plan_between(work.session.repository, work.end, work.anchor, work.line[visit.commit]);
  CollectRun chosen{{work.session, std::move(planned), work.policy, &processes}};
  chosen.run.policy.budget = work.budget_left();
  Plan& plan = chosen.run.planned.plan;
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
void learn_of_anchor(CollectWork& work, const CollectRun& chosen, const Standing& standing) {
  if (!work.anchor) {
    return;
  }
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate == Fate::alone) {
      work.anchor_lacks.insert(chosen.places[workload.index]);
    }
  }
}

/// What was measured of a commit, for the reader.
void record(const CollectRun& chosen, const Standing& standing, CollectedCommit& commit) {
  const Run& run = chosen.run;
  commit.run_id = run.planned.plan.run_id;
  commit.measured = run.history.measured;
  commit.failure = run.checkouts.head.failure.empty() ? "" : told(run.checkouts.head);
  commit.workloads = collected_workloads(standing, chosen.wanted);
  commit.status = status_of(commit.workloads);
}

/// As the whole was asked for: with its seed.
std::string reproduce_commit(const CollectWork& work, Plan plan) {
  const Options& options = work.session.options;
  plan.seed = work.end.plan.seed;
  return reproduce_command("collect " + plan.head.oid + option_given("--anchor", options.anchor),
                           plan, options);
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

/// Builds a commit, measures what is lacking there, and stores it as a run of its own. `processes`
/// hears of each of them.
void collect_commit(CollectWork& work, const CollectVisit& visit, ProgressView& progress,
                    ProgressView& processes) {
  CollectedCommit& commit = work.collection.commits[visit.commit];
  CollectRun chosen = run_of(work, visit, processes);
  if (chosen.wanted.empty()) {
    commit.status = CollectedStatus::skipped;
    return;
  }
  Run& run = chosen.run;
  const Plan& plan = run.planned.plan;
  build_quietly(run, progress, "  ");
  tell_warnings(plan, progress, "  ");
  if (is_interrupted()) {
    return;
  }
  Report report = carry_out(
      run, [&](const Standing& standing) { return next_collection(standing, chosen.wanted); });
  report.reproduce = {reproduce_commit(work, plan)};
  store_report(run, report);
  work.collection.measured += run.history.measured;
  work.collection.budget_spent = work.collection.budget_spent || run.history.budget_spent;
  const Standing standing = standing_of(plan, run.history, run.policy);
  learn_of_anchor(work, chosen, standing);
  record(chosen, standing, commit);
  tell(commit, progress);
  for (const Warning& warning : report.warnings) {
    if (warning.kind == WarningKind::benchmarks_skipped &&
        work.told.insert(reporter::sentence(warning)).second) {
      progress.say("  warning: " + reporter::sentence(warning));
    }
  }
}

/// The line of a commit: "commit 3 of 41 (3f2a9c01d2e4 Compute more waves)".
void tell_commit(const CollectWork& work, std::size_t number, ProgressView& progress) {
  const Revision& revision = work.line[work.visits[number].commit];
  progress.say("commit " + std::to_string(number + 1) + " of " +
               std::to_string(work.visits.size()) + " (" + revision.oid.substr(0, kShortOid) + " " +
               revision.subject + ")");
}

void collect_all(CollectWork& work, ProgressView& progress) {
  const bool endless = work.collection.is_range && !work.session.options.budget;
  const Options& options = work.session.options;
  ProgressView processes(stderr,
                         work.visits.size() > 1 ? ProgressView::style_of_many(options)
                                                : ProgressView::style_of_stderr(options.quiet),
                         endless ? 0 : work.policy.budget);
  for (std::size_t i = 0; i < work.visits.size() && !work.stopped(); ++i) {
    tell_commit(work, i, progress);
    collect_commit(work, work.visits[i], progress, processes);
  }
}

void end_record(const CollectWork& work, Collection& collection) {
  stamp(collection);
  collection.interrupted = is_interrupted();
  if (count_of(collection, CollectedStatus::left) == 0) {
    collection.go_on.clear();
  } else {
    collection.budget_spent = collection.budget_spent || work.budget_left() <= 0;
  }
}

}  // namespace

int collect_command(const Options& options, Spawner& spawner) {
  Session session = open_session(options, spawner);
  ProgressView progress(options);
  CollectWork work = begin_collect(session, progress);
  collect_all(work, progress);
  end_record(work, work.collection);
  return end_command(work.collection, options);
}

}  // namespace perf
