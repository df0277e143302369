#pragma once

#include <map>
#include <string>

#include "workloads/model/model_shape.h"
#include "workloads/model/safetensors_reader.h"

namespace perf::workloads {

/// The shape that a config.json of the Qwen2 kind means (the fields of transformers' Qwen2Config,
/// with its defaults). Throws BadCheckpoint, which names the file and the field: no JSON, another
/// architecture, an output of its own (untied), scaled rotary frequencies, a sliding window,
/// another activation, a field that is missing or out of range.
ModelShape shape_of_config(const std::string& path);

/// The metadata of a file with a model of this shape, by which shape_of_file() knows it again: nine
/// numbers, "made_by", and the "format": "pt" that loaders of checkpoints ask for.
std::map<std::string, std::string> metadata_of(const ModelShape& shape);

/// The shape that a file without a config has: from its metadata, as metadata_of() has them, else
/// that of the known model whose tensors it has. Throws BadCheckpoint where there is neither.
ModelShape shape_of_file(const SafetensorsReader& file);

}  // namespace perf::workloads
