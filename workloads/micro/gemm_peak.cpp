#include "workloads/kernels/gemm_rate.h"
#include "workloads/kernels/product_error.h"
#include "workloads/micro/micro_run.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

void run_gemm_peak(const Settings& settings, StepEmitter& out) {
  GemmRate gemm(settings.count("peak-size"), dtype_from(settings.text("dtype")));
  gemm.measure(0);
  gemm.spoil_result();
  while (out.next_step()) {
    gemm.measure(1);
    out.phase("multiply");
    out.stop_step();
    if (steps_follow(out)) {
      gemm.spoil_result();
    }
  }
  const double rate = gemm.operations() / out.median_seconds();
  out.metric("flop_rate", "flop/s", Better::higher, rate);
  report_gemm_share(rate, gemm.rate(), out);
  out.check("product_matches_reference", gemm.error(), kProductTolerance);
}

}  // namespace

Workload micro_gemm_peak() {
  return {
      .name = "micro/gemm_peak",
      .summary = "The machine's limit for products: a square one, as other workloads take it.",
      .parameters = {integer("peak-size", {512, 512, 2048}, 1, 16384, "n of the n^3 product"),
                     choice("dtype", dtype_names(), "of the operands and the result")},
      .phases = {"multiply"},
      .metrics = {"flop_rate", "gemm_rate", "gemm_share"},
      .checks = {"product_matches_reference"},
      .run = run_gemm_peak,
  };
}

}  // namespace perf::workloads
