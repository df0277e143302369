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
#include "ci/cli/run/store_and_config.h"
#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"
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

/// Loads each run once, whatever workloads it measured.
class PairedRuns {
 public:
  explicit PairedRuns(const Store& store) : store_(store) {}

  const std::shared_ptr<const StoredRun>& run(const std::string& id) {
    std::shared_ptr<const StoredRun>& found = loaded_[id];
    if (!found) {
      found = std::make_shared<const StoredRun>(store_.load_plan(id), store_.load(id));
    }
    return found;
  }

 private:
  const Store& store_;
  std::map<std::string, std::shared_ptr<const StoredRun>> loaded_;
};

/// Of each workload the newest stored sessions at a revision, at most `limit`, in the order of
/// time. Each run is loaded once.
std::vector<std::vector<SampleSet>> stored_sessions(const Store& store,
                                                    const std::vector<const Workload*>& workloads,
                                                    const std::string& oid, const std::string& size,
                                                    const Policy& policy, std::int64_t limit) {
  std::vector<std::vector<SampleSet>> sessions;
  std::map<std::string, std::vector<std::pair<const Workload*, SampleSet*>>> runs;
  for (const Workload* workload : workloads) {
    const std::vector<std::string> ids = store.runs_at(oid, *workload, size, limit);
    std::vector<SampleSet>& of_one = sessions.emplace_back(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      runs[ids[i]].emplace_back(workload, &of_one[ids.size() - 1 - i]);
    }
  }
  for (const auto& [id, wanted] : runs) {
    const Plan plan = store.load_plan(id);
    const Measurements measurements = store.load(id);
    const std::string started_at = store.started_at(id);
    for (const auto& [workload, session] : wanted) {
      *session = stored_samples(plan, measurements, *workload, oid, policy);
      session->measured_at = started_at;
    }
  }
  return sessions;
}

/// Replaces the longest runs by the newest that reach the first look. The pairs of that look depend
/// on the number of comparisons, which the longest runs show.
void prefer_newest(const Store& store, const Policy& policy, PairedRuns& paired,
                   JudgedSides& sides) {
  const std::vector<int> looks = look_schedule(policy, judged_in(sides, policy));
  for (PairedWorkload& one : sides.pairs) {
    if (looks.empty()) {
      continue;
    }
    const std::vector<RunOfPairs> runs = runs_of(store, sides.plan, one.planned.workload);
    const auto newest = std::ranges::find_if(
        runs, [&looks](const RunOfPairs& run) { return run.pairs >= looks.front(); });
    if (newest != runs.end() && newest->id != one.run->plan.run_id) {
      one.run = paired.run(newest->id);
    }
  }
}

/// Base first, then its first parents down to head, if that comes before it; without --history base
/// alone.
std::vector<Revision> line_of_base(const Context& context, const Plan& plan) {
  if (!plan.base || !context.options.history) {
    return plan.base ? std::vector{*plan.base} : std::vector<Revision>{};
  }
  std::vector<Revision> line = first_parent_line(*context.repository, *plan.base).commits;
  std::ranges::reverse(line);
  line.resize(std::min<std::size_t>(line.size(), kMostCommitsBefore));
  const auto head = std::ranges::find(line, plan.head.oid, &Revision::oid);
  line.erase(head == line.begin() ? line.end() : head, line.end());
  return line;
}

/// Of the workloads that a run paired, the one with most pairs; returns the others.
std::vector<const Workload*> look_up_pairs(const Store& store, PairedRuns& paired,
                                           JudgedSides& sides) {
  std::vector<const Workload*> unpaired;
  for (const PlannedWorkload& planned : sides.plan.workloads) {
    const std::vector<RunOfPairs> runs =
        sides.plan.base ? runs_of(store, sides.plan, planned.workload) : std::vector<RunOfPairs>{};
    if (runs.empty()) {
      unpaired.push_back(&planned.workload);
    } else {
      // Of several of as many pairs, the newest.
      sides.pairs.push_back(
          {planned, paired.run(std::ranges::max_element(runs, {}, &RunOfPairs::pairs)->id)});
    }
  }
  return unpaired;
}

/// The sessions of one workload.
struct StoredSessions {
  std::vector<SampleSet> base, head;
};

/// Adds the sessions at a revision to one side of the workloads, but for those that have enough.
void add_sessions(const Context& context, const std::vector<const Workload*>& workloads,
                  const Revision& revision, const std::string& size, int commits_before,
                  const Policy& policy, std::vector<StoredSessions>& stored,
                  std::vector<SampleSet> StoredSessions::*side) {
  std::vector<std::size_t> open;
  std::vector<const Workload*> wanted;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    if (std::ssize(stored[i].*side) < kMostOfHistory) {
      open.push_back(i);
      wanted.push_back(workloads[i]);
    }
  }
  auto sessions = stored_sessions(context.store, wanted, revision.oid, size, policy, kMostSessions);
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (SampleSet& one : sessions[i]) {
      one.commits_before = commits_before;
      (stored[open[i]].*side).push_back(std::move(one));
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

PlannedRun fill_from_store(const Context& context, JudgedSides& sides) {
  PlannedRun run = plan_of_stored(context, plan_options(context));
  warn_of_other_benchmark(context, run);
  const Policy policy = apply(run.config.policy, context.options);
  sides.plan = run.plan;
  sides.plan.head.kind = SideKind::store;
  if (sides.plan.base) {
    sides.plan.base->kind = SideKind::store;
  }
  PairedRuns paired(context.store);
  const std::vector<const Workload*> unpaired = look_up_pairs(context.store, paired, sides);
  std::vector<StoredSessions> stored(unpaired.size());
  const std::string& size = sides.plan.size;
  int before = 0;
  for (const Revision& commit : line_of_base(context, sides.plan)) {
    add_sessions(context, unpaired, commit, size, before++, policy, stored, &StoredSessions::base);
  }
  add_sessions(context, unpaired, sides.plan.head, size, 0, policy, stored, &StoredSessions::head);
  for (StoredSessions& one : stored) {
    if (context.options.history) {
      keep_independent(one.base, one.head);
    }
    std::ranges::move(one.base, std::back_inserter(sides.base));
    std::ranges::move(one.head, std::back_inserter(sides.head));
  }
  prefer_newest(context.store, policy, paired, sides);
  return run;
}

void fill_side_from_store(const Context& context, const std::string& name, bool at_base,
                          const Policy& policy, JudgedSides& sides) {
  const Repository& repository = *context.repository;
  PlanOptions wanted = plan_options(context);
  const NameSources sources{wanted.pins, found_here(context.options, &repository).config.baselines,
                            environment_variable};
  const Revision head = resolve_head(repository, at_base ? "HEAD" : name, sources);
  std::optional<Revision> found =
      at_base ? resolve_base(repository, name, head, sources) : std::optional(head);
  if (!found) {
    throw UsageError("a root commit has no baseline", "HEAD", "pass BASE");
  }
  for (const SampleSet& other : at_base ? sides.head : sides.base) {
    wanted.size = other.size.empty() ? wanted.size : other.size;
  }
  wanted.head = found->oid;
  wanted.head_only = true;
  const Plan plan = plan_of_stored(context, wanted).plan;
  const auto workloads =
      mapped(plan.workloads, [](const PlannedWorkload& planned) { return &planned.workload; });
  std::vector<SampleSet>& side = at_base ? sides.base : sides.head;
  for (auto& of_one :
       stored_sessions(context.store, workloads, found->oid, wanted.size, policy, kMostSessions)) {
    std::ranges::move(of_one, std::back_inserter(side));
  }
  if (side.empty()) {
    throw Error("no stored results of the revision", name + " at size " + wanted.size,
                "measure it first: perf-compare BASE " + name);
  }
  found->kind = SideKind::store;
  sides.plan.size = wanted.size;
  (at_base ? sides.plan.base.emplace() : sides.plan.head) = *found;
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
