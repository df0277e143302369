#include "workloads/micro/layer_workload.h"
#include "workloads/micro/micro_workloads.h"

namespace perf::workloads {

Workload micro_attention_layer() {
  Workload workload = layer_workload(
      "attention_layer",
      "One layer's attention as training computes it: norm, q, k, v, rotation, attention, output.");
  workload.run = [](const Settings& settings, perf_compare::StepEmitter& out) {
    run_layer(LayerPart::attention, settings, out);
  };
  return workload;
}

}  // namespace perf::workloads
