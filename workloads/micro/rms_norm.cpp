#include "workloads/kernels/rms_norm.h"

#include "workloads/micro/micro_workloads.h"
#include "workloads/micro/row_work.h"

namespace perf::workloads {

namespace {

void run_rms_norm(const Settings& settings, perf_compare::StepEmitter& out) {
  const RowWork rows(settings, out.wanted().seed);
  const auto forward = [&] {
    rms_norm_forward(rows.in, rows.gain, rows.out, rows.inverse_rms, rows.rows, rows.columns,
                     kNormEpsilon);
  };
  run_micro(settings, rows.work(forward), out);
  out.check("output_matches_reference", rms_norm_error(rows), kNormTolerance);
  out.check("inverse_rms_matches_reference", inverse_rms_error(rows), kNormTolerance);
}

}  // namespace

Workload micro_rms_norm() {
  return {
      .name = "micro/rms_norm",
      .summary = "RMSNorm of each row of a matrix.",
      .parameters = row_parameters(),
      .phases = {"forward"},
      .metrics = micro_metrics(Bound::memory),
      .checks = {"output_matches_reference", "inverse_rms_matches_reference"},
      .run = run_rms_norm,
  };
}

}  // namespace perf::workloads
