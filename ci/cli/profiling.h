#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "ci/cli/progress.h"
#include "ci/cli/session.h"
#include "collector/build/plan.h"
#include "schema/policy.h"
#include "schema/profile.h"

namespace perf {

/// Profiles of one run's workloads, each side run once under perf when it is first asked for.
class Profiling {
 public:
  /// All of these outlive it.
  Profiling(Session& session, const Plan& plan, const Policy& policy, const Checkouts& checkouts,
            ProgressView& progress);

  /// Of a workload of the plan; where the side cannot be run, the problem says why.
  const Profile& of(std::size_t workload, Side side);

 private:
  Profile take(std::size_t workload, Side side);

  Session& session_;
  const Plan& plan_;
  const Policy& policy_;
  const Checkouts& checkouts_;
  ProgressView& progress_;
  std::map<std::pair<std::size_t, Side>, Profile> taken_;
};

}  // namespace perf
