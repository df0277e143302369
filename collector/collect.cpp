#include "collector/collect.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "collector/process/compiler_caches.h"
#include "collector/randomness.h"
#include "schema/readings.h"

namespace perf {
namespace {

constexpr int kAttempts = 2;

/// The state of filling one demand.
struct Collection {
  const Demand& demand;
  const Plan& plan;
  const Checkouts& checkouts;
  Runner& runner;
  const CollectHooks& hooks;
  Measurements& measurements;
  double measured_before;  ///< s, measurements.measured when the demand began
  std::int64_t next_start;
  Progress progress{};
};

/// The result of a pair, or of one attempt at it.
enum class Outcome { complete, failed, unaffordable, stopped };

const PlannedWorkload& planned_of(const Collection& now, const WorkloadDemand& wanted) {
  return now.plan.workloads[wanted.workload];
}

int sides_of(const WorkloadDemand& wanted) {
  return wanted.paired ? 2 : 1;
}

int next_pair(const Measurements& measurements, const std::string& workload) {
  int next = 0;
  for (const Invocation& invocation : measurements.invocations) {
    if (invocation.workload == workload && !invocation.traced) {
      next = std::max(next, invocation.pair + 1);
    }
  }
  return next;
}

/// s that the last attempt at the workload's last pair took, both sides; 0 before the first.
double expected_seconds(const Measurements& measurements, const std::string& workload) {
  const auto& all = measurements.invocations;
  const auto is_like = [&](const Invocation& invocation) {
    return invocation.workload == workload && !invocation.counted && !invocation.traced;
  };
  const auto last = std::find_if(all.rbegin(), all.rend(), is_like);
  double seconds = 0;
  for (auto it = last; it != all.rend(); ++it) {
    if (is_like(*it) && it->pair == last->pair && it->attempt == last->attempt) {
      seconds += it->process.wall;
    }
  }
  return seconds;
}

/// The budget limits timing; the number of counted processes is fixed.
bool may_start(const Collection& now, const WorkloadDemand& wanted) {
  if (wanted.counted) {
    return true;
  }
  const double spent = now.measurements.measured - now.measured_before;
  const double left = now.demand.budget_left - spent;
  return left > 0 &&
         expected_seconds(now.measurements, planned_of(now, wanted).workload.name) <= left;
}

bool is_interrupted(const Collection& now) {
  return now.hooks.interrupted && now.hooks.interrupted();
}

/// Why the benchmarks of a workload cannot be told from another workload's rows; empty: they can.
std::string name_collision(const Invocation& done, const Plan& plan) {
  if (done.blocks.size() < 2) {
    return {};
  }
  std::set<std::string> taken;
  for (const Block& block : done.blocks) {
    const std::string child = child_name(done.workload, block.workload, taken);
    for (const PlannedWorkload& planned : plan.workloads) {
      const std::string& other = planned.workload.name;
      if (planned.control_of.empty() && other.size() > done.workload.size() &&
          (child == other || child.starts_with(other + "/"))) {
        return "its benchmark " + child + " has the name of the workload " + other +
               "; rename one of them";
      }
    }
  }
  return {};
}

Outcome run_side(Collection& now, const WorkloadDemand& wanted, Invocation invocation) {
  if (is_interrupted(now)) {
    now.measurements.interrupted = true;
    return Outcome::stopped;
  }
  now.progress.workload = invocation.workload;
  now.progress.side = invocation.side;
  now.progress.measured = now.measurements.measured;
  if (now.hooks.progress) {
    now.hooks.progress(now.progress);
  }
  const PlannedWorkload& planned = planned_of(now, wanted);
  const bool runs_base = invocation.side == Side::base || !planned.control_of.empty();
  const Checkout& checkout = runs_base ? now.checkouts.base : now.checkouts.head;
  Workload workload = workload_at(planned, runs_base ? Side::base : Side::head);
  if (now.plan.base) {
    workload = with_own_caches(std::move(workload), checkout, invocation.side);
  }
  const double started = now.hooks.clock();
  Invocation done = now.runner.run(workload, checkout.directory, std::move(invocation));
  done.took = now.hooks.clock() - started;
  if (done.ok()) {
    done.failure = name_collision(done, now.plan);
  }
  if (!wanted.counted) {
    now.measurements.measured += done.took;
  }
  if (!done.ok() && is_interrupted(now)) {  // it was killed, or hit by the same signal
    now.measurements.interrupted = true;
    return Outcome::stopped;
  }
  if (now.hooks.store) {
    now.hooks.store(done);
  }
  ++now.progress.done;
  now.measurements.invocations.push_back(std::move(done));
  return now.measurements.invocations.back().ok() ? Outcome::complete : Outcome::failed;
}

/// The same draw for every counted invocation, so that counts repeat.
PairDraw draw_for_counting(std::uint64_t plan_seed, const std::string& workload) {
  PairDraw draw = draw_pair(plan_seed, workload, 0, 1);
  draw.first = Side::base;
  draw.base_padding = draw.head_padding = 0;
  return draw;
}

/// Both sides are run even when the first one fails: the verdict depends on which sides fail.
Outcome run_attempt(Collection& now, const WorkloadDemand& wanted, int pair, int attempt) {
  const PlannedWorkload& planned = planned_of(now, wanted);
  const std::string& name = planned.workload.name;
  const PairDraw draw = wanted.counted ? draw_for_counting(now.plan.seed, name)
                                       : draw_pair(now.plan.seed, name, pair, attempt);
  const Side second = draw.first == Side::base ? Side::head : Side::base;
  const std::vector<Side> sides =
      wanted.paired ? std::vector{draw.first, second} : std::vector{Side::head};
  Outcome worst = Outcome::complete;
  for (const Side side : sides) {
    Invocation invocation;
    invocation.workload = name;
    invocation.side = side;
    invocation.oid =
        side == Side::base || !planned.control_of.empty() ? now.plan.base->oid : now.plan.head.oid;
    invocation.pair = pair;
    invocation.attempt = attempt;
    invocation.start_order = now.next_start;
    invocation.paired = wanted.paired;
    invocation.steps_wanted = wanted.steps;
    invocation.warmup_wanted = wanted.warmup;
    invocation.seed = draw.seed;
    invocation.padding = side == Side::base ? draw.base_padding : draw.head_padding;
    invocation.layout_seed = now.demand.layout_seed;
    invocation.counted = wanted.counted;
    const Outcome outcome = run_side(now, wanted, std::move(invocation));
    if (outcome == Outcome::stopped) {
      return outcome;
    }
    ++now.next_start;
    worst = std::max(worst, outcome);
  }
  return worst;
}

/// Whether the latest attempt failed, and that only because others used its GPU.
bool is_lost_to_others(const Collection& now, const WorkloadDemand& wanted) {
  const auto& all = now.measurements.invocations;
  const auto first = all.end() - std::min<std::ptrdiff_t>(sides_of(wanted), std::ssize(all));
  return std::all_of(first, all.end(),
                     [](const Invocation& one) { return one.ok() || one.is_lost_to_others(); });
}

Outcome run_pair(Collection& now, const WorkloadDemand& wanted) {
  const std::string& name = planned_of(now, wanted).workload.name;
  const int pair = next_pair(now.measurements, name);
  int failures = 0;  // of its own
  for (int attempt = 1; failures < kAttempts && attempt <= kSharedAttempts; ++attempt) {
    if (!may_start(now, wanted)) {
      now.progress.wanted += attempt == 1 ? 0 : sides_of(wanted);  // the first attempt was in vain
      return Outcome::unaffordable;
    }
    if (attempt > 1) {
      now.progress.wanted += sides_of(wanted);
    }
    const Outcome outcome = run_attempt(now, wanted, pair, attempt);
    if (outcome != Outcome::failed) {
      return outcome;
    }
    failures += is_lost_to_others(now, wanted) ? 0 : 1;
  }
  return Outcome::failed;
}

}  // namespace

void collect(const Demand& demand, const Plan& plan, const Checkouts& checkouts, Runner& runner,
             const CollectHooks& hooks, Measurements& measurements) {
  Collection now{demand, plan, checkouts, runner, hooks, measurements, measurements.measured, 0};
  for (const Invocation& invocation : measurements.invocations) {
    now.next_start = std::max(now.next_start, invocation.start_order + 1);
  }
  std::vector<WorkloadDemand> wanted = demand.workloads;
  for (const WorkloadDemand& one : wanted) {
    assert(one.workload < plan.workloads.size() && (!one.paired || plan.base));
    now.progress.wanted += std::max(one.count, 0) * sides_of(one);
  }
  bool any_unaffordable = false, any_filled = false;
  const auto is_open = [](const WorkloadDemand& one) { return one.count > 0; };
  while (std::ranges::any_of(wanted, is_open)) {
    for (WorkloadDemand& one : wanted) {
      if (!is_open(one)) {
        continue;
      }
      const Outcome outcome = run_pair(now, one);
      if (outcome == Outcome::stopped) {
        return;
      }
      one.count -= outcome == Outcome::unaffordable ? 0 : 1;
      if (outcome != Outcome::complete) {  // failed twice: the rest would fail as well
        now.progress.wanted -= one.count * sides_of(one);
        one.count = 0;
      }
      any_unaffordable |= outcome == Outcome::unaffordable;
      any_filled |= outcome != Outcome::unaffordable && one.count == 0;
    }
  }
  // Where some workload got all its pairs, the next demand may still be affordable.
  now.measurements.budget_spent |= any_unaffordable && !any_filled;
}

}  // namespace perf
