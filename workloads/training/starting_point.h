#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/model/model_shape.h"
#include "workloads/model/safetensors.h"
#include "workloads/training/lora.h"

namespace perf::workloads {

/// Everything that a training run begins with, as numbers that another implementation can begin
/// with, too: exactly those that the workloads make for themselves from the seed.
struct StartingPoint {
  std::string model;  ///< its name, for the metadata
  ModelShape shape;
  DType dtype = DType::fp32;  ///< of weights and adapters
  std::uint64_t seed = 1;
  std::size_t batch = 0, length = 0;  ///< 0: without tokens
  LoraOptions lora;                   ///< rank 0: without adapters
};

/// The tensors of its file: "tokens" and "targets" (batch,length); the weights under their
/// published names; "lora.LAYER.TARGET.A" (rank,inputs) and ".B" (outputs,rank), with TARGET as in
/// q, gate.
std::vector<SafetensorsEntry> tensors_of(const StartingPoint& start);

/// The shape's metadata (model/checkpoint_shape.h), the seed and the rest of what it was made from.
std::map<std::string, std::string> metadata_of(const StartingPoint& start);

/// Writes it, a few MiB at a time. Returns the bytes of the file. Throws what TensorWriter
/// throws.
std::uint64_t write_starting_point(const StartingPoint& start, const std::string& path);

}  // namespace perf::workloads
