#include "ci/cli/stored.h"

#include <algorithm>
#include <utility>

#include "analyzer/judge/history_sessions.h"
#include "analyzer/judge/judge_stored.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/clock.h"
#include "ci/cli/end_command.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "collector/git/ancestry.h"
#include "schema/error.h"

namespace perf {
namespace {

/// Sessions a side that are looked at: as many as have an exact interval.
constexpr std::int64_t kMostSessions = 50;

/// How far before base sessions of its history are looked for, and how many: some years of nights;
/// of each host and day one counts.
constexpr int kMostCommitsBefore = 1000;
constexpr int kMostOfHistory = 200;

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

/// Base first, then its first parents down to head, if that comes before it; without --history base
/// alone.
std::vector<Revision> line_of_base(const Session& session, const Plan& plan) {
  if (!plan.base || !session.options.history) {
    return plan.base ? std::vector{*plan.base} : std::vector<Revision>{};
  }
  std::vector<Revision> line = first_parent_line(session.repository, *plan.base).commits;
  std::ranges::reverse(line);
  line.resize(std::min<std::size_t>(line.size(), kMostCommitsBefore));
  const auto head = std::ranges::find(line, plan.head.oid, &Revision::oid);
  line.erase(head == line.begin() ? line.end() : head, line.end());
  return line;
}

StoredWorkload look_up(const Session& session, const Plan& plan, const PlannedWorkload& planned,
                       const std::vector<Revision>& line, const Policy& policy) {
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
  }
  for (int i = 0; i < std::ssize(line) && std::ssize(found.base) < kMostOfHistory; ++i) {
    for (SampleSet& one : sessions_at(line[static_cast<std::size_t>(i)].oid)) {
      one.commits_before = i;
      found.base.push_back(std::move(one));
    }
  }
  found.head = sessions_at(plan.head.oid);
  if (session.options.history) {
    keep_independent(found.base, found.head);
  }
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
    sessions.back().measured_at = store.listed_run(run).started_at;
  }
  std::ranges::reverse(sessions);
  return sessions;
}

int stored_command(const Options& options, Spawner& spawner) {
  refuse_what_measures(options, options.history ? "--history" : "--stored");
  const Session session = open_session(options, spawner);
  PlannedRun run = make_plan(session.repository, plan_options(session));
  warn_of_other_benchmark(session, run);
  const Policy policy = apply(run.config.policy, options);
  std::vector<StoredWorkload> stored;
  const std::vector<Revision> line = line_of_base(session, run.plan);
  for (const PlannedWorkload& planned : run.plan.workloads) {
    stored.push_back(look_up(session, run.plan, planned, line, policy));
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
