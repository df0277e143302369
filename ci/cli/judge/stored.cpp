#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "analyzer/judge/history_sessions.h"
#include "analyzer/judge/judge_stored.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/judge/judge.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/context.h"
#include "collector/git/ancestry.h"
#include "schema/error.h"

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

/// Replaces the longest runs by the newest that reach the first look. The pairs of that look depend
/// on the number of comparisons, which the longest runs show.
void prefer_newest(const Store& store, const Plan& plan, const Policy& policy, PairedRuns& paired,
                   std::vector<StoredWorkload>& stored) {
  const std::vector<int> looks = look_schedule(policy, judged_in(plan, stored, policy));
  for (StoredWorkload& one : stored) {
    if (!one.pairs || looks.empty()) {
      continue;
    }
    const std::vector<RunOfPairs> runs = runs_of(store, plan, one.planned.workload);
    const auto newest = std::ranges::find_if(
        runs, [&looks](const RunOfPairs& run) { return run.pairs >= looks.front(); });
    if (newest != runs.end() && newest->id != one.pairs->plan.run_id) {
      one.pairs = paired.run(newest->id);
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

std::vector<StoredWorkload> look_up_pairs(const Store& store, const Plan& plan,
                                          PairedRuns& paired) {
  std::vector<StoredWorkload> stored;
  for (const PlannedWorkload& planned : plan.workloads) {
    StoredWorkload& found = stored.emplace_back(StoredWorkload{planned, {}, {}, {}});
    const std::vector<RunOfPairs> runs =
        plan.base ? runs_of(store, plan, planned.workload) : std::vector<RunOfPairs>{};
    if (!runs.empty()) {
      // Of several of as many pairs, the newest.
      found.pairs = paired.run(std::ranges::max_element(runs, {}, &RunOfPairs::pairs)->id);
    }
  }
  return stored;
}

/// Adds the sessions at a revision to one side of the workloads, but for those that have enough.
void add_sessions(const Store& store, const Plan& plan, const std::string& oid, int commits_before,
                  const Policy& policy, const std::vector<StoredWorkload*>& stored,
                  std::vector<SampleSet> StoredWorkload::*side) {
  std::vector<StoredWorkload*> open;
  std::vector<const Workload*> workloads;
  for (StoredWorkload* one : stored) {
    if (std::ssize(one->*side) < kMostOfHistory) {
      open.push_back(one);
      workloads.push_back(&one->planned.workload);
    }
  }
  auto sessions = stored_sessions(store, workloads, oid, plan.size, policy, kMostSessions);
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (SampleSet& one : sessions[i]) {
      one.commits_before = commits_before;
      (open[i]->*side).push_back(std::move(one));
    }
  }
}

/// Of workloads that no run paired.
void look_up_sessions(const Context& context, const Plan& plan, const Policy& policy,
                      std::vector<StoredWorkload>& stored) {
  std::vector<StoredWorkload*> unpaired;
  for (StoredWorkload& one : stored) {
    if (!one.pairs) {
      unpaired.push_back(&one);
    }
  }
  int commits_before = 0;
  for (const Revision& commit : line_of_base(context, plan)) {
    add_sessions(context.store, plan, commit.oid, commits_before++, policy, unpaired,
                 &StoredWorkload::base);
  }
  add_sessions(context.store, plan, plan.head.oid, 0, policy, unpaired, &StoredWorkload::head);
  for (StoredWorkload* one : unpaired) {
    if (context.options.history) {
      keep_independent(one->base, one->head);
    }
  }
}

bool is_of_entry(const std::string& name, const std::string& entry) {
  return name == entry || name.starts_with(entry + "/");
}

/// What runs of pairs measured; samples of different sessions are no pairs, and have no pictures.
std::vector<MeasuredWorkload> measured_behind(const std::vector<StoredWorkload>& stored) {
  std::vector<MeasuredWorkload> all;
  for (const StoredWorkload& one : stored) {
    if (!one.pairs) {
      continue;
    }
    for (MeasuredWorkload& workload :
         measured_workloads(one.pairs->plan, one.pairs->measurements)) {
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

}  // namespace

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

int stored_command(const Options& options, Spawner& spawner) {
  const Context context = open_context(options, spawner);
  PlannedRun run = make_plan(*context.repository, plan_options(context));
  warn_of_other_benchmark(context, run);
  const Policy policy = apply(run.config.policy, options);
  PairedRuns paired(context.store);
  std::vector<StoredWorkload> stored = look_up_pairs(context.store, run.plan, paired);
  look_up_sessions(context, run.plan, policy, stored);
  prefer_newest(context.store, run.plan, policy, paired, stored);
  Report report = judge_stored(run.plan, stored, policy, run.config.targets);
  stamp(report);
  report.config_source = run.config_source;
  report.reproduce = reproduce_commands(run.plan, options);
  return end_command(
      report, [&] { return measured_behind(stored); }, options);
}

}  // namespace perf
