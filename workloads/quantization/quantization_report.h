#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/program/peak_memory.h"
#include "workloads/program/roofline.h"
#include "workloads/quantization/quantization_check.h"
#include "workloads/quantization/tensor_source.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What a run of either mode has measured.
struct QuantizationRun {
  const TensorSource& source;
  Scheme scheme;
  std::uint64_t input_bytes = 0, output_bytes = 0;
  std::size_t baseline_memory = 0, peak_memory = 0;  ///< without what yardsticks hold
  QuantizationQuality quality = {};                  ///< of all values
  ReferenceErrors reference = {};
};

/// In this order; layer_NN_bytes of each layer come after them, where they are wanted.
std::vector<std::string> quantization_metrics();
void report_quantization(const QuantizationRun& run, const ReadShare& reading, bool by_layer,
                         perf_compare::StepEmitter& out);

/// signal_to_noise_as_expected only where the weights are the synthetic model's: of others nothing
/// is known beforehand.
std::vector<std::string> quantization_checks();
void check_quantization(const QuantizationRun& run, bool is_synthetic,
                        perf_compare::StepEmitter& out);

}  // namespace perf::workloads
