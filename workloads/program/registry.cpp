#include "workloads/inference/generate.h"
#include "workloads/program/error.h"
#include "workloads/program/plant.h"
#include "workloads/program/workload.h"
#include "workloads/quantization/int8_workload.h"
#include "workloads/training/finetuning_workloads.h"
#include "workloads/training/mlp_stack_workload.h"

namespace perf::workloads {

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      inference_generate(),
      quantization_int8(),
      training_full_finetune(),
      training_gradient(),
      training_lora_finetune(),
      training_mlp_stack(),
  };
  return all;
}

const Workload& workload_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Workload& workload : workloads()) {
    if (workload.name == name)
      return workload;
    names.push_back(workload.name);
  }
  throw Error("no such workload", std::string(name), nearest(name, names));
}

std::vector<Parameter> common_parameters() {
  std::vector<Parameter> common = {
      integer("steps", {8, 8, 3}, 1, 1'000'000, "timed steps (else PERF_COMPARE_STEPS)"),
      integer("warmup", {2, 2, 1}, 0, 1'000'000, "untimed steps first (else PERF_COMPARE_WARMUP)"),
      integer("seed", {1, 1, 1}, 0, 2'147'483'647,
              "of all random numbers (else PERF_COMPARE_SEED)"),
      integer("threads", {0, 0, 0}, 0, 1024, "0: as many as this process may use"),
  };
  for (Parameter& plant : plant_parameters())
    common.push_back(std::move(plant));
  return common;
}

}  // namespace perf::workloads
