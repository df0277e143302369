#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collector/checkout.h"
#include "collector/process/process.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// The hands that looking needs.
struct LookTools {
  RunProcess run;
  std::function<void(const std::string&)> say{};  ///< a line for whoever waits; may be empty
  std::function<bool()> interrupted{};            ///< true once a signal asked to stop
  bool may_take_seed = true;  ///< nobody named one: that of the looks that base has will do
};

/// Looks at what both sides of each workload of a comparison run, before any pair, and says in the
/// plan what came of it; the answer is the looking invocations, for the history. Where anything is
/// left to measure, one in 20 of what is the same, by the seed, is audited. A workload that cannot
/// be looked at (settings, control arms, one side alone) is left as it is. What fails is said at
/// once, and is measured.
std::vector<Invocation> look_at_programs(Plan& plan, const Checkouts& checkouts,
                                         const Policy& policy, const LookTools& tools);

}  // namespace perf
