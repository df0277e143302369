#include "workloads/decoder/decoder_setup.h"

namespace perf::workloads {

DType default_cache(WeightType weights) {
  switch (weights) {
    case WeightType::fp32:
      return DType::fp32;
    case WeightType::bf16:
      return DType::bf16;
    default:
      return DType::fp16;
  }
}

}  // namespace perf::workloads
