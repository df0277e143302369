#include "ci/cli/collect.h"

#include <algorithm>

#include "ci/cli/clock.h"
#include "ci/cli/collect_commit.h"
#include "ci/cli/collect_work.h"
#include "ci/cli/collection_output.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "schema/short_oid.h"

namespace perf {
namespace {

/// The line of a commit: "commit 3 of 41 (3f2a9c01d2e4 Compute more waves)".
void tell_commit(const CollectWork& work, std::size_t number, ProgressView& progress) {
  const Revision& revision = work.line[work.visits[number].commit];
  progress.say("commit " + std::to_string(number + 1) + " of " +
               std::to_string(work.visits.size()) + " (" + revision.oid.substr(0, kShortOid) + " " +
               revision.subject + ")");
}

/// A log of many commits would get a line for every demand.
ProgressView::Style style_of_processes(const Options& options, std::size_t commits) {
  const ProgressView::Style style = ProgressView::style_of_stderr(options.quiet);
  const bool too_much = style == ProgressView::Style::lines && !options.verbose && commits > 1;
  return too_much ? ProgressView::Style::silent : style;
}

void collect_all(CollectWork& work, ProgressView& progress) {
  const bool endless = work.collection.is_range && !work.session.options.budget;
  ProgressView processes(stderr, style_of_processes(work.session.options, work.visits.size()),
                         endless ? 0 : work.policy.budget);
  for (std::size_t i = 0; i < work.visits.size() && !work.stopped(); ++i) {
    tell_commit(work, i, progress);
    collect_commit(work, work.visits[i], progress, processes);
  }
}

void end_record(const CollectWork& work, Collection& collection) {
  collection.generated_at = utc_now();
  collection.interrupted = interruption() != 0;
  if (count_of(collection, CollectedStatus::left) == 0) {
    collection.go_on.clear();
  } else {
    collection.budget_spent = collection.budget_spent || work.budget_left() <= 0;
  }
}

bool has(const CollectedCommit& commit, CollectedStatus status) {
  return std::any_of(commit.workloads.begin(), commit.workloads.end(),
                     [&](const CollectedWorkload& workload) { return workload.status == status; });
}

}  // namespace

int exit_code(const Collection& collection) {
  bool anything = false, nothing_wanted = true, failed = false;
  for (const CollectedCommit& commit : collection.commits) {
    nothing_wanted = nothing_wanted && commit.status == CollectedStatus::skipped;
    failed = failed || has(commit, CollectedStatus::failed);
    anything = anything || commit.status == CollectedStatus::skipped;
    for (const CollectedWorkload& workload : commit.workloads) {
      anything = anything || workload.invocations > 0;
    }
  }
  if (nothing_wanted) {
    return kFine;
  }
  return !anything || (failed && !collection.is_range) ? kNotMeasured : kFine;
}

int collect_command(const Options& options, Spawner& spawner) {
  Session session = open_session(options, spawner);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), 0);
  CollectWork work = begin_collect(session, progress);
  collect_all(work, progress);
  Collection& collection = work.collection;
  end_record(work, collection);
  const std::vector<Error> errors = write_outputs(collection, options);
  for (const Error& error : errors) {
    print_error(error);
  }
  if (interruption() != 0) {
    return 128 + interruption();
  }
  return errors.empty() ? exit_code(collection) : static_cast<int>(kNotMeasured);
}

}  // namespace perf
