#include <cstddef>
#include <string>

#include "ci/cli/clock.h"
#include "ci/cli/collect_work.h"
#include "ci/cli/commands.h"
#include "ci/cli/end_command.h"
#include "ci/cli/signals.h"
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
  collection.generated_at = utc_now();
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
