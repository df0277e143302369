#pragma once

#include <functional>
#include <string>

#include "collector/checkout.h"
#include "schema/demand.h"
#include "schema/invocation.h"
#include "schema/plan.h"

namespace perf {

/// Runs one invocation. The real one starts a process; tests script the timings.
class Runner {
 public:
  virtual ~Runner() = default;
  /// `invocation` names side, oid, pair, attempt, seed, padding and steps; the answer is the same
  /// with the process's result, what its output said, and the failure if it does not count.
  virtual Invocation run(const Workload& workload, const std::filesystem::path& directory,
                         Invocation invocation) = 0;
};

/// Where the collector is, for whoever shows progress.
struct Progress {
  std::string workload;
  Side side = Side::head;
  int done = 0;         ///< invocations finished in this demand
  int wanted = 0;       ///< invocations of this demand in all
  double measured = 0;  ///< s of the budget used so far
};

/// The collector's hold on the world, handed in so that tests can script it.
struct CollectHooks {
  std::function<void(const Invocation&)> store;   ///< called as each invocation ends
  std::function<double()> clock;                  ///< monotonic seconds
  std::function<bool()> interrupted;              ///< true once a signal asked to stop
  std::function<void(const Progress&)> progress;  ///< before each invocation; may be empty
};

/// Fills a demand: rounds of one pair per workload, the sides of each pair in random order (from
/// the plan's seed), failed pairs tried once more. Appends to `history` as it goes; sets
/// interrupted when asked to stop.
///
/// No pair starts that would overrun the demand's budget by what its workload's last pair took; the
/// others go on. Sets budget_spent where that left every workload short of what was wanted of it.
void collect(const Demand& demand, const Plan& plan, const Checkouts& checkouts, Runner& runner,
             const CollectHooks& hooks, Measurements& measurements);

}  // namespace perf
