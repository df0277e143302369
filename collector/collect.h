#pragma once

#include <functional>
#include <string>

#include "collector/checkout.h"
#include "schema/demand.h"
#include "schema/invocation.h"
#include "schema/plan.h"

namespace perf {

/// Runs one invocation: WorkloadRunner starts a process, tests script the timings.
class Runner {
 public:
  virtual ~Runner() = default;
  /// `invocation` names side, oid, pair, attempt, seed, padding and steps; the answer is the same
  /// with the process's result, what its output said, and the failure if it does not count.
  virtual Invocation run(const Workload& workload, const std::filesystem::path& directory,
                         Invocation invocation) = 0;
};

/// How far the collector is, to show progress.
struct Progress {
  std::string workload;
  Side side = Side::head;
  int done = 0;         ///< invocations finished in this demand
  int wanted = 0;       ///< invocations of this demand in all
  double measured = 0;  ///< s of the budget used so far
};

/// The collector's surroundings, as parameters so that tests can script them.
struct CollectHooks {
  std::function<void(const Invocation&)> store;   ///< called as each invocation ends
  std::function<double()> clock;                  ///< monotonic seconds
  std::function<bool()> interrupted;              ///< true once a signal asked to stop
  std::function<void(const Progress&)> progress;  ///< before each invocation; may be empty
};

/// Fills a demand: rounds of one pair per workload, the sides of each pair in random order (from
/// the plan's seed), failed pairs tried once more. Appends to `measurements` as it goes; sets
/// `interrupted` when asked to stop.
///
/// A pair does not start if the time of its workload's last pair would exceed the demand's budget;
/// other workloads go on. Sets `budget_spent` if no workload got all pairs that were demanded.
void collect(const Demand& demand, const Plan& plan, const Checkouts& checkouts, Runner& runner,
             const CollectHooks& hooks, Measurements& measurements);

}  // namespace perf
