#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ci/cli/run/run.h"
#include "collector/trace/trace_programs.h"

namespace perf {

/// One commit of many that `collect` or `bisect` measures: a run of its own.
struct Visit {
  Run run;
  bool begun = false;  ///< the store has the run
  /// An earlier command began it. It goes on as a run of its own, with a copy of what was measured:
  /// another copy of the store may go on too, and runs of one id must be equal.
  bool taken_over = false;
};

/// What differs from command to command while a commit is visited.
struct VisitSteps {
  std::function<void()> trace;    ///< after the build; may throw for a side that does not build
  std::function<void()> begun{};  ///< once the store has the run; may be empty
  Wanted wanted{};                ///< as for measure
  const char* indent = "";        ///< of progress lines
};

/// Checks out, builds, traces, begins the run once in this command, and measures it. Returns false
/// if a signal came before the measurement. The caller stores the report.
bool visit(Visit& visit, ProgressView& progress, const VisitSteps& steps);

/// Traces the programs of one command's visits, all with one seed, because it may choose what a
/// workload reads.
struct VisitTracer {
  ProgressView& progress;
  std::uint64_t seed = 0;
  std::optional<std::string> no_trace{};  ///< why nothing can be traced, once that was tried

  /// Traces one side of a run that is built. The first call reports why nothing can be traced.
  TracedProgram trace(const Run& run, const Workload& workload, Side side);
};

/// Keeps the traced invocation with the run, if there is one.
void keep_trace(Run& run, const TracedProgram& program);

}  // namespace perf
