#pragma once

#include <string>
#include <vector>

#include "schema/environment.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/revision.h"
#include "schema/sample_set.h"

namespace perf {

/// What a session that another tool measured is kept as.
struct ImportAs {
  std::string format;
  /// The workload whose children its benchmarks are, as if a command had printed them; empty: each
  /// is a workload of its own.
  std::string entry;
  std::string size = "ci";
  Revision revision;
  Environment environment;
};

/// Such a session as a run.
struct ImportedRun {
  Plan plan;
  std::vector<Invocation> invocations;
  std::size_t benchmarks = 0;
  /// Of what was measured and what it is kept as, 128 bits in hexadecimal; also the run's id, so
  /// that the same session is the same run in every store. No defence against an adversary: who
  /// makes two sessions alike has one of them left out.
  std::string digest;
};

/// One invocation of the entry with all benchmarks, or one of each benchmark, in the order of the
/// session; at head, unpaired; its wall time the sum of its steps, because nothing else is known.
/// What could not be taken stands in the plan's warnings.
ImportedRun imported_run(const ImportedSession& session, const ImportAs& as);

}  // namespace perf
