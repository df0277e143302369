#include "workloads/micro/layer_workload.h"
#include "workloads/micro/micro_workloads.h"

namespace perf::workloads {

Workload micro_mlp_layer() {
  Workload workload = layer_workload(
      "mlp_layer", "One layer's MLP as training computes it: norm, gate and up, SwiGLU, down.");
  workload.run = [](const Settings& settings, perf_compare::StepEmitter& out) {
    run_layer(LayerPart::mlp, settings, out);
  };
  return workload;
}

}  // namespace perf::workloads
