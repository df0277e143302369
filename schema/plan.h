#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/environment.h"
#include "schema/revision.h"
#include "schema/workload.h"

namespace perf {

/// A workload of a plan, and on which sides it can be measured.
struct PlannedWorkload {
  Workload workload;
  std::string base_missing;   ///< why base cannot run it ("did not build"); empty when it can
  std::string head_failed;    ///< why head cannot run it; empty when it can
};

/// What one run is going to measure: revisions x workloads.
struct Plan {
  std::string run_id;                 ///< globally unique
  std::optional<Revision> base;       ///< absent at a root commit and for `collect`
  Revision head;
  Environment environment;
  std::string size = "ci";            ///< smoke, ci or full
  std::uint64_t seed = 0;             ///< order, padding and workload seeds derive from it
  std::vector<PlannedWorkload> workloads;
  std::vector<std::string> missing;   ///< names only base's own config has; they are not run
  std::vector<std::string> warnings;
};

}  // namespace perf
