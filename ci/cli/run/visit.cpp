#include "ci/cli/run/visit.h"

#include <utility>

#include "ci/cli/run/signals.h"
#include "collector/randomness.h"

namespace perf {

bool visit(Visit& visit, ProgressView& progress, const VisitSteps& steps) {
  Run& run = visit.run;
  build_quietly(run, progress, steps.indent);
  if (is_interrupted()) {
    return false;
  }
  steps.trace();
  if (is_interrupted()) {
    return false;
  }
  if (std::exchange(visit.taken_over, false)) {
    run.planned.plan.run_id = new_id();
    visit.begun = false;
  }
  if (!std::exchange(visit.begun, true)) {
    begin(run);
    if (steps.begun) {
      steps.begun();
    }
  }
  measure(run, steps.wanted);
  return true;
}

TracedProgram VisitTracer::trace(const Run& run, const Workload& workload, Side side) {
  if (!no_trace) {
    no_trace = why_no_trace(run.context.run_process);
    if (!no_trace->empty()) {
      progress.say("programs are not traced: " + *no_trace);
    }
  }
  TraceTools tools{.run = run.context.run_process, .interrupted = is_interrupted};
  tools.no_trace = no_trace;
  const Plan& plan = run.planned.plan;
  const bool at_base = side == Side::base;
  return trace_program(workload, at_base ? run.checkouts.base : run.checkouts.head,
                       {at_base ? plan.base->oid : plan.head.oid, side, seed,
                        run.policy.initial_steps, run.policy.warmup_steps},
                       tools);
}

void keep_trace(Run& run, const TracedProgram& program) {
  if (!program.traced) {
    return;
  }
  std::vector<Invocation>& invocations = run.measurements.invocations;
  invocations.push_back(*program.traced);
  invocations.back().paired = run.planned.plan.purpose != Purpose::collect;
  invocations.back().start_order = static_cast<std::int64_t>(invocations.size()) - 1;
}

}  // namespace perf
