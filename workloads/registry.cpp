#include "workloads/registry.h"

#include "workloads/inference/batched.h"
#include "workloads/inference/diffusion_workload.h"
#include "workloads/inference/forward.h"
#include "workloads/inference/generate.h"
#include "workloads/inference/load.h"
#include "workloads/inference/sampling_workload.h"
#include "workloads/inference/streaming_workload.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/program/error.h"
#include "workloads/quantization/quantization_workloads.h"
#include "workloads/training/finetuning_workloads.h"
#include "workloads/training/mlp_stack_workload.h"

namespace perf::workloads {

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      inference_batched(),
      inference_diffusion_generate(),
      inference_forward(),
      inference_generate(),
      inference_generate_nocache(),
      inference_load(),
      inference_sampling(),
      inference_streaming(),
      micro_attention(),
      micro_attention_layer(),
      micro_embedding(),
      micro_full_layer(),
      micro_gemm_peak(),
      micro_layer_norm(),
      micro_matmul(),
      micro_memory_read(),
      micro_memory_triad(),
      micro_mlp_layer(),
      micro_rms_norm(),
      micro_rope(),
      micro_softmax(),
      quantization_int2(),
      quantization_int4(),
      quantization_int8(),
      quantization_nf4(),
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
    if (workload.name == name) {
      return workload;
    }
    names.push_back(workload.name);
  }
  throw Error("no such workload", std::string(name), nearest(name, names));
}

}  // namespace perf::workloads
