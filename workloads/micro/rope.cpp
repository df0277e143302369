#include <fmt/format.h>

#include "workloads/micro/micro_workloads.h"
#include "workloads/micro/rope_work.h"
#include "workloads/micro/sequence_parameters.h"
#include "workloads/program/memory.h"

namespace perf::workloads {

namespace {

void run_rope(const Settings& settings, perf_compare::StepEmitter& out) {
  const ModelShape model = model_shape(settings.text("model"));
  const auto length = static_cast<std::size_t>(settings.integer("seq-len"));
  require_memory(RopeWork::bytes(model, length), fmt::format("a sequence of {} tokens", length));
  out.begin_field("tokens_per_step", length * static_cast<std::size_t>(settings.integer("calls")));
  RopeWork rope(model, length, out.wanted().seed);
  run_micro(settings, rope.work(), out);
  out.check("output_matches_reference", rope.output_error(), rope.tolerance());
  out.check("gradient_matches_reference", rope.gradient_error(), rope.tolerance());
  out.check("bias_gradient_matches_reference", rope.bias_gradient_error(),
            rope.bias_gradient_tolerance());
}

}  // namespace

Workload micro_rope() {
  return {
      .name = "micro/rope",
      .summary = "Rotary embedding of queries and keys, with their bias, and the way back.",
      .parameters = micro_parameters(sequence_parameters(), {20, 20, 200}, Bound::memory),
      .phases = {"forward", "backward"},
      .metrics = micro_metrics(Bound::memory),
      .checks = {"output_matches_reference", "gradient_matches_reference",
                 "bias_gradient_matches_reference"},
      .run = run_rope,
  };
}

}  // namespace perf::workloads
