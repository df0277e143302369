#include "ci/cli/profiling.h"

#include <string>

#include "collector/profile/profile_workload.h"
#include "collector/randomness.h"

namespace perf {

const Profile& Profiling::of(std::size_t workload, Side side) {
  const auto key = std::make_pair(workload, side);
  const auto found = taken_.find(key);
  return found != taken_.end() ? found->second
                               : taken_.emplace(key, take(workload, side)).first->second;
}

Profile Profiling::take(std::size_t index, Side side) {
  const PlannedWorkload& planned = run_.planned.plan.workloads[index];
  const Checkout& checkout = side == Side::base ? run_.checkouts.base : run_.checkouts.head;
  Profile profile;
  profile.problem = checkout.failure.empty() ? "" : "it " + told(checkout);
  if (!profile.problem.empty()) {
    return profile;
  }
  const Workload workload = workload_at(planned, side);
  run_.progress->say("profiling " + workload.name + (side == Side::base ? " at base" : " at head"));
  Invocation wish;
  wish.workload = workload.name;
  wish.side = side;
  wish.steps_wanted = run_.policy.max_steps;  // the more, the less its start weighs
  wish.warmup_wanted = run_.policy.warmup_steps;
  wish.seed = draw_pair(run_.planned.plan.seed, workload.name, 0, 1).seed;
  return profile_workload(run_.session.run_process, workload, checkout.directory, wish);
}

}  // namespace perf
