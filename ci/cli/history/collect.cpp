#include <cstddef>

#include "ci/cli/commands.h"
#include "ci/cli/history/history.h"
#include "ci/cli/hub/hub.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/signals.h"

namespace perf {
namespace {

void collect_all(CollectWork& work, ProgressView& progress) {
  const bool endless = work.collection.is_range && !work.context.options.budget;
  const Options& options = work.context.options;
  ProgressView processes(stderr,
                         work.visits.size() > 1 ? ProgressView::style_of_many(options)
                                                : ProgressView::style_of_stderr(options.quiet),
                         endless ? 0 : work.policy.budget);
  if (options.programs) {
    trace_line(work, progress, processes);
  }
  for (std::size_t i = 0; i < work.visits.size() && !work.stopped(); ++i) {
    const std::size_t commit = work.visits[i].commit;
    if (work.collection.commits[commit].status != CollectedStatus::left) {
      continue;
    }
    work.tell_commit(i, progress);
    if (std::optional<CollectRun> chosen = run_of(work, i, processes)) {
      visit_commit(work, *chosen, commit, true, progress);
    }
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

int collect(const Options& options, Spawner& spawner) {
  Context context = open_context(options, spawner);
  ProgressView progress(options);
  CollectWork work = begin_collect(context, progress);
  collect_all(work, progress);
  end_record(work, work.collection);
  return end_command(work.collection, options);
}

}  // namespace

int collect_command(const Options& options, Spawner& spawner) {
  return with_hub(options, spawner, [&] { return collect(options, spawner); });
}

}  // namespace perf
