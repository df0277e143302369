#include "ci/cli/stored.h"

#include <algorithm>
#include <utility>

#include "analyzer/judge/judge_stored.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/clock.h"
#include "ci/cli/end_command.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "schema/error.h"

namespace perf {
namespace {

/// Sessions a side that are looked at: as many as have an exact interval.
constexpr std::int64_t kMostSessions = 50;

std::vector<RunOfPairs> runs_of(const Store& store, const Plan& plan, const Workload& workload) {
  return store.runs_of_pairs(plan.base->oid, plan.head.oid, workload, plan.size);
}

StoredRun load_run(const Store& store, const std::string& id) {
  return {store.load_plan(id), store.load(id)};
}

/// In place of the longest runs, the newest that reach the first look. How many pairs that takes
/// depends on how many comparisons there are, which the longest tell.
void prefer_newest(const Store& store, const Plan& plan, const Policy& policy,
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
      one.pairs = load_run(store, newest->id);
    }
  }
}

StoredWorkload look_up(const Session& session, const Plan& plan, const PlannedWorkload& planned,
                       const Policy& policy) {
  const Store& store = session.store;
  const Workload& workload = planned.workload;
  const auto sessions_at = [&](const std::string& oid) {
    return stored_sessions(store, workload, oid, plan.size, policy, kMostSessions);
  };
  StoredWorkload found;
  found.planned = planned;
  if (plan.base) {
    const std::vector<RunOfPairs> runs = runs_of(store, plan, workload);
    if (!runs.empty()) {
      // Of several of as many pairs, the newest.
      found.pairs = load_run(store, std::ranges::max_element(runs, {}, &RunOfPairs::pairs)->id);
      return found;
    }
    found.base = sessions_at(plan.base->oid);
  }
  found.head = sessions_at(plan.head.oid);
  return found;
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
    for (MeasuredWorkload& workload : measured_workloads(one.pairs->plan, one.pairs->history)) {
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

void refuse_what_measures(const Options& options, const std::string& what) {
  const bool settings = !options.base_set.empty() || !options.head_set.empty() || options.vary;
  if (settings || options.control || options.count || options.profile_changes || options.shard) {
    throw UsageError(what + " measures nothing",
                     settings          ? "--base-set, --head-set, --vary"
                     : options.control ? "--control"
                     : options.count   ? "--count"
                     : options.shard   ? "--shard"
                                       : "--profile-changes",
                     "leave one of the two out");
  }
}

std::vector<SampleSet> stored_sessions(const Store& store, const Workload& workload,
                                       const std::string& oid, const std::string& size,
                                       const Policy& policy, std::int64_t limit) {
  std::vector<SampleSet> sessions;
  for (const std::string& run : store.runs_at(oid, workload, size, limit)) {
    sessions.push_back(
        stored_samples(store.load_plan(run), store.load(run), workload, oid, policy));
  }
  std::ranges::reverse(sessions);
  return sessions;
}

int stored_command(const Options& options, Spawner& spawner) {
  refuse_what_measures(options, "--stored");
  const Session session = open_session(options, spawner);
  PlannedRun run = make_plan(session.repository, plan_options(session));
  warn_of_other_benchmark(session, run);
  const Policy policy = apply(run.config.policy, options);
  std::vector<StoredWorkload> stored;
  for (const PlannedWorkload& planned : run.plan.workloads) {
    stored.push_back(look_up(session, run.plan, planned, policy));
  }
  prefer_newest(session.store, run.plan, policy, stored);
  Report report = judge_stored(run.plan, stored, policy, run.config.targets);
  stamp(report);
  report.config_source = run.config_source;
  report.reproduce = reproduce_commands(run.plan, options);
  return end_command(
      report, [&] { return measured_behind(stored); }, options);
}

}  // namespace perf
