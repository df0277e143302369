#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "analyzer/judge/history_sessions.h"
#include "analyzer/judge/judge_sides.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/judge/judge.h"
#include "ci/cli/run/context.h"
#include "collector/git/ancestry.h"
#include "schema/error.h"
#include "schema/text/glob.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// Sessions a side that are read: as many as have an exact interval.
constexpr std::int64_t kMostSessions = 50;

/// Limits of base's history: some years of nights; of each host and day one session counts.
constexpr int kMostCommitsBefore = 1000;
constexpr int kMostOfHistory = 200;

std::vector<RunOfPairs> runs_of(const Store& store, const Plan& plan, const Workload& workload) {
  return store.runs_of_pairs(plan.base->oid, plan.head.oid, workload, plan.size);
}

using Revisions = std::vector<Revision>;
using StoredRuns = std::map<std::string, std::shared_ptr<const StoredRun>>;

/// Loads each run once, whatever workloads it measured.
const std::shared_ptr<const StoredRun>& load(const Store& store, const std::string& id,
                                             StoredRuns& loaded) {
  std::shared_ptr<const StoredRun>& run = loaded[id];
  if (!run) {
    run = std::make_shared<const StoredRun>(store.load_plan(id), store.load(id),
                                            store.started_at(id));
  }
  return run;
}

/// Replaces the longest runs by the newest that reach the first look. The pairs of that look depend
/// on the number of comparisons, which the longest runs show.
void prefer_newest(const Store& store, const Policy& policy, StoredRuns& paired,
                   JudgedSides& sides) {
  const std::vector<int> looks = look_schedule(policy, judged_in(sides, policy));
  for (PairedWorkload& one : sides.pairs) {
    const std::vector<RunOfPairs> runs = runs_of(store, sides.plan, one.planned.workload);
    const auto newest = std::ranges::find_if(runs, [&looks](const RunOfPairs& run) {
      return !looks.empty() && run.pairs >= looks.front();
    });
    if (newest != runs.end()) {
      one.run = load(store, newest->id, paired);
    }
  }
}

/// Base first, then its first parents down to head, if that comes before it; without --history base
/// alone.
Revisions line_of_base(const Context& context, const Plan& plan) {
  if (!plan.base || !context.options.history) {
    return plan.base ? Revisions{*plan.base} : Revisions{};
  }
  Revisions line = first_parent_line(*context.repository, *plan.base).commits;
  std::ranges::reverse(line);
  line.resize(std::min<std::size_t>(line.size(), kMostCommitsBefore));
  const auto head = std::ranges::find(line, plan.head.oid, &Revision::oid);
  line.erase(head == line.begin() ? line.end() : head, line.end());
  return line;
}

/// The sessions of one workload, each side in the order of time.
struct StoredSessions {
  const Workload* workload;
  std::vector<SampleSet> base{}, head{};
};

/// Of the workloads that a run paired, the one with most pairs; returns the others.
std::vector<StoredSessions> look_up_pairs(const Store& store, StoredRuns& paired,
                                          JudgedSides& sides) {
  std::vector<StoredSessions> unpaired;
  for (const PlannedWorkload& planned : sides.plan.workloads) {
    const std::vector<RunOfPairs> runs =
        sides.plan.base ? runs_of(store, sides.plan, planned.workload) : std::vector<RunOfPairs>{};
    if (runs.empty()) {
      unpaired.push_back({&planned.workload});
    } else {
      // Of several of as many pairs, the newest.
      sides.pairs.push_back(
          {planned,
           load(store, std::ranges::max_element(runs, {}, &RunOfPairs::pairs)->id, paired)});
    }
  }
  return unpaired;
}

/// Adds the newest sessions at a revision to one side of the workloads, but for those that have
/// enough.
void add_sessions(const Store& store, const Revision& revision, const std::string& size,
                  int commits_before, const Policy& policy, std::vector<StoredSessions>& stored,
                  std::vector<SampleSet> StoredSessions::*side) {
  StoredRuns runs;  // of this revision: those of a whole history are too large
  for (StoredSessions& one : stored) {
    std::vector<SampleSet>& sessions = one.*side;
    if (std::ssize(sessions) >= kMostOfHistory) {
      continue;
    }
    std::vector<std::string> ids = store.runs_at(revision.oid, *one.workload, size, kMostSessions);
    std::ranges::reverse(ids);
    for (const std::string& id : ids) {
      const StoredRun& run = *load(store, id, runs);
      SampleSet session =
          stored_samples(run.plan, run.measurements, *one.workload, revision.oid, policy);
      session.measured_at = run.started_at;
      session.commits_before = commits_before;
      if (commits_before == 0 || !session.series.empty()) {  // failures are of base's own
        sessions.push_back(std::move(session));
      }
    }
  }
}

/// Adds the workloads that `import` stored at a revision, but for those of a name that was measured
/// there as the config has it.
void add_imported(const Context& context, const Revision& revision, Plan& plan) {
  for (const ListedRun& run : context.store.listed_runs_at(revision.oid, kMostSessions)) {
    if (run.source.empty() || run.size != plan.size) {
      continue;
    }
    for (PlannedWorkload& one : context.store.load_plan(run.id).workloads) {
      const Workload& imported = one.workload;
      const bool is_known = std::ranges::any_of(plan.workloads, [&](const PlannedWorkload& other) {
        return other.workload.name == imported.name &&
               (other.workload.command.empty()
                    ? other.workload.params == imported.params
                    : !context.store.runs_at(revision.oid, other.workload, plan.size, 1).empty());
      });
      if (!is_known && is_chosen(context.options.workloads, imported.name)) {
        plan.workloads.push_back(std::move(one));
      }
    }
  }
}

/// The plan of what the store is asked for.
PlannedRun plan_of_stored(const Context& context, PlanOptions wanted) {
  wanted.of_store = true;
  PlannedRun run = make_plan(*context.repository, wanted);
  add_imported(context, run.plan.head, run.plan);
  if (run.plan.base) {
    add_imported(context, *run.plan.base, run.plan);
  }
  if (run.plan.workloads.empty() && !wanted.workload_globs.empty()) {
    throw UsageError("no workload matches", wanted.workload_globs.front(),
                     "the stored runs: perf-compare list");
  }
  return run;
}

bool is_of_entry(const std::string& name, const std::string& entry) {
  return name == entry || name.starts_with(entry + "/");
}

}  // namespace

PlannedRun fill_from_store(const Context& context, bool at_base, bool at_head, JudgedSides& sides) {
  PlanOptions wanted = plan_options(context);
  const std::string name = at_base ? wanted.base : wanted.head;
  for (const auto* side : {&sides.base, &sides.head}) {
    for (const SampleSet& other : *side) {
      wanted.size = other.size.empty() ? wanted.size : other.size;
    }
  }
  wanted.head = at_head ? wanted.head : "HEAD";
  wanted.head_only = !at_base;
  PlannedRun run = plan_of_stored(context, wanted);
  if (at_base && !at_head && !run.plan.base) {
    throw UsageError("a root commit has no baseline", "HEAD", "pass BASE");
  }
  const bool both = at_base && at_head;
  if (both) {
    warn_of_other_benchmark(context, run);
    sides.plan = run.plan;
  }
  sides.plan.size = run.plan.size;
  if (at_base && run.plan.base) {
    sides.plan.base = run.plan.base;
    sides.plan.base->kind = SideKind::store;
  }
  if (at_head) {
    sides.plan.head = run.plan.head;
    sides.plan.head.kind = SideKind::store;
  }
  const Policy policy = apply(run.config.policy, context.options);
  const Store& store = context.store;
  StoredRuns paired;
  std::vector<StoredSessions> stored =
      both ? look_up_pairs(store, paired, sides)
           : mapped(run.plan.workloads,
                    [](const PlannedWorkload& one) { return StoredSessions{&one.workload}; });
  int before = 0;
  for (const Revision& commit : at_base ? line_of_base(context, run.plan) : Revisions{}) {
    add_sessions(store, commit, run.plan.size, before++, policy, stored, &StoredSessions::base);
  }
  if (at_head) {
    add_sessions(store, run.plan.head, run.plan.size, 0, policy, stored, &StoredSessions::head);
  }
  for (StoredSessions& one : stored) {
    if (context.options.history) {
      keep_independent(one.base, one.head);
    }
    std::ranges::move(one.base, std::back_inserter(sides.base));
    std::ranges::move(one.head, std::back_inserter(sides.head));
  }
  if (!both && (at_base ? sides.base : sides.head).empty()) {
    throw Error("no stored results of the revision", name + " at size " + run.plan.size,
                "measure it first: perf-compare BASE " + name);
  }
  prefer_newest(store, policy, paired, sides);
  return run;
}

/// What runs of pairs measured; samples of different sessions are no pairs, and have no pictures.
std::vector<MeasuredWorkload> measured_behind(const std::vector<PairedWorkload>& pairs) {
  std::vector<MeasuredWorkload> all;
  for (const PairedWorkload& one : pairs) {
    for (MeasuredWorkload& workload : measured_workloads(one.run->plan, one.run->measurements)) {
      if (is_of_entry(workload.workload, one.planned.workload.name)) {
        all.push_back(std::move(workload));
      }
    }
  }
  std::ranges::stable_sort(all, {}, &MeasuredWorkload::workload);
  const auto again = std::ranges::unique(all, {}, &MeasuredWorkload::workload);
  all.erase(again.begin(), again.end());
  return all;
}

}  // namespace perf
