#include "workloads/micro/layer_workload.h"
#include "workloads/micro/micro_workloads.h"

namespace perf::workloads {

Workload micro_full_layer() {
  Workload workload = layer_workload(
      "full_layer",
      "One decoder layer as training computes it: attention and MLP, forward and backward.");
  workload.run = [](const Settings& settings, perf_compare::StepEmitter& out) {
    run_layer(LayerPart::whole, settings, out);
  };
  return workload;
}

}  // namespace perf::workloads
