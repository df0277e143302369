#include "workloads/kernels/layer_norm.h"

#include "workloads/micro/micro_workloads.h"
#include "workloads/micro/row_work.h"

namespace perf::workloads {

namespace {

void run_layer_norm(const Settings& settings, perf_compare::StepEmitter& out) {
  const RowWork rows(settings, out.wanted().seed);
  const auto forward = [&] {
    layer_norm(rows.in, rows.gain, rows.bias, rows.out, rows.rows, rows.columns, kNormEpsilon);
  };
  run_micro(settings, rows.work(forward), out);
  out.check("output_matches_reference", layer_norm_error(rows), kNormTolerance);
}

}  // namespace

Workload micro_layer_norm() {
  return {
      .name = "micro/layer_norm",
      .summary = "Layer normalization of each row of a matrix.",
      .parameters = row_parameters(),
      .phases = {"forward"},
      .metrics = micro_metrics(Bound::memory),
      .checks = {"output_matches_reference"},
      .run = run_layer_norm,
  };
}

}  // namespace perf::workloads
