#pragma once

#include <map>
#include <string>

#include "workloads/model/model_shape.h"
#include "workloads/model/tensor_reader.h"

namespace perf::workloads {

/// The shape that a config.json of the Qwen2 or Llama kind means (the fields of transformers'
/// Qwen2Config and LlamaConfig, with their defaults). Throws BadCheckpoint, which names the file
/// and the field: no JSON, another architecture, rotary frequencies that are scaled in another way
/// than Llama 3.1's, a sliding window, another activation, biases elsewhere than Qwen2 has them, a
/// field that is missing or out of range.
ModelShape shape_of_config(const std::string& path);

/// The metadata of a file with a model of this shape, by which shape_of_file() knows it again: nine
/// numbers, what is otherwise than in the smaller Qwen2.5 ("output": "own", "qkv_bias": "none",
/// four numbers of "rope_..."), "made_by", and the "format": "pt" that loaders of checkpoints ask
/// for.
std::map<std::string, std::string> metadata_of(const ModelShape& shape);

/// The shape that a file without a config has: from its metadata, as metadata_of() has them, else
/// that of the known model whose tensors it has. Throws BadCheckpoint where there is neither.
ModelShape shape_of_file(const TensorReader& file);

}  // namespace perf::workloads
