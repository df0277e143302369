#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/model/checkpoint_files.h"
#include "workloads/model/parameter_source.h"
#include "workloads/model/quantized_tensors.h"

namespace perf::workloads {

/// A published checkpoint of the Qwen2 or Llama kind: a folder with config.json and
/// model.safetensors (or model.safetensors.index.json and the files that it names), or one such
/// file, whose shape is then taken from `config.json` beside it, from its metadata (as `export`
/// writes them), or from the tensors of a known model; that one has an output of its own if the
/// file has it, and with other values than the embedding's. What else is in it is ignored, as
/// transformers does: an output beside the embedding that it is tied to, adapters, rotary
/// frequencies. Only other parts of the model itself ("model...") are refused: who left them out
/// would compute something else. Of a file that a quantization wrote, matrices are what codes and
/// scales mean.
class Checkpoint : public ParameterSource {
 public:
  /// Throws BadCheckpoint, naming file and tensor: what CheckpointFiles and shape_of_config()
  /// throw; a tensor that is missing, of another shape than the model's, of a dtype other than F32,
  /// BF16 and F16, or of a part that the model does not have.
  explicit Checkpoint(const std::string& path);

  const ModelShape& shape() const override { return shape_; }
  /// Throws BadCheckpoint where the file has changed since.
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override;

  /// Where a tensor of the model lies in its file, which is mapped as long as the object lives. A
  /// matrix of a quantized model lies as "NAME.codes" and "NAME.scales".
  const MappedTensor& tensor(const std::string& name) const { return *place(name).tensor; }
  /// How its matrices are quantized, if they are (quantized_tensors.h).
  std::optional<Scheme> scheme() const override { return scheme_; }
  void read_codes(const ModelTensor& tensor, std::size_t first,
                  const QuantizedMatrix& to) const override;
  /// Of all its files.
  std::uint64_t file_bytes() const { return files_.file_bytes(); }
  std::vector<std::string> paths() const { return files_.paths(); }

 private:
  using Place = CheckpointFiles::Place;

  /// Whether there is an output that is another matrix than the embedding.
  bool has_own_output() const;
  void require_tensors() const;
  void require_tensor(const SafetensorsEntry& wanted) const;
  const Place& place(const std::string& name) const;
  QuantizedPlace quantized_place(const ModelTensor& tensor) const;

  std::string path_;
  CheckpointFiles files_;
  ModelShape shape_;
  std::optional<Scheme> scheme_;
};

}  // namespace perf::workloads
