#include "workloads/kernels/softmax.h"

#include "workloads/micro/micro_workloads.h"
#include "workloads/micro/row_work.h"

namespace perf::workloads {

namespace {

void run_softmax(const Settings& settings, perf_compare::StepEmitter& out) {
  const RowWork rows(settings, out.wanted().seed);
  const auto forward = [&] { softmax(rows.in, rows.out, rows.rows, rows.columns); };
  run_micro(settings, rows.work(forward), out);
  out.check("output_matches_reference", softmax_error(rows), kSoftmaxTolerance);
  out.check("rows_sum_to_one", row_sum_error(rows), kRowSumTolerance);
}

}  // namespace

Workload micro_softmax() {
  return {
      .name = "micro/softmax",
      .summary = "Softmax of each row of a matrix.",
      .parameters = row_parameters(),
      .phases = {"forward"},
      .metrics = micro_metrics(Bound::memory),
      .checks = {"output_matches_reference", "rows_sum_to_one"},
      .run = run_softmax,
  };
}

}  // namespace perf::workloads
