#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "ci/cli/run.h"
#include "schema/profile.h"

namespace perf {

/// Profiles of one run's workloads, each side run once under perf when it is first asked for.
class Profiling {
 public:
  /// The run is built, and outlives it.
  explicit Profiling(const Run& run) : run_(run) {}

  /// Of a workload of the plan; where the side cannot be run, the problem says why.
  const Profile& of(std::size_t workload, Side side);

 private:
  Profile take(std::size_t workload, Side side);

  const Run& run_;
  std::map<std::pair<std::size_t, Side>, Profile> taken_;
};

}  // namespace perf
