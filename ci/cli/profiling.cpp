#include "ci/cli/profiling.h"

#include <string>

#include "collector/profile/profile_workload.h"
#include "collector/randomness.h"

namespace perf {

Profiling::Profiling(Session& session, const Plan& plan, const Policy& policy,
                     const Checkouts& checkouts, ProgressView& progress)
    : session_(session), plan_(plan), policy_(policy), checkouts_(checkouts), progress_(progress) {}

const Profile& Profiling::of(std::size_t workload, Side side) {
  const auto key = std::make_pair(workload, side);
  const auto found = taken_.find(key);
  return found != taken_.end() ? found->second
                               : taken_.emplace(key, take(workload, side)).first->second;
}

Profile Profiling::take(std::size_t index, Side side) {
  const PlannedWorkload& planned = plan_.workloads[index];
  const Checkout& checkout = side == Side::base ? checkouts_.base : checkouts_.head;
  Profile profile;
  profile.problem = checkout.failure.empty() ? "" : "it " + told(checkout);
  if (!profile.problem.empty()) {
    return profile;
  }
  const Workload workload = workload_at(planned, side);
  progress_.say("profiling " + workload.name + (side == Side::base ? " at base" : " at head"));
  Invocation wish;
  wish.workload = workload.name;
  wish.side = side;
  wish.steps_wanted = policy_.max_steps;  // the more, the less its start weighs
  wish.warmup_wanted = policy_.warmup_steps;
  wish.seed = draw_pair(plan_.seed, workload.name, 0, 1).seed;
  return profile_workload(session_.run_process, workload, checkout.directory, wish);
}

}  // namespace perf
