#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/model/checkpoint_files.h"
#include "workloads/model/parameter_source.h"

namespace perf::workloads {

/// A published checkpoint of the Qwen2 kind: a folder with config.json and model.safetensors (or
/// model.safetensors.index.json and the files that it names), or one such file, whose shape is
/// then taken from `config.json` beside it, from its metadata (as `export` writes them), or from
/// the tensors of a known model. What else is in it is ignored, as transformers does: an output
/// beside the embedding that it is tied to, adapters, rotary frequencies. Only other parts of the
/// model itself ("model...") are refused: who left them out would compute something else.
class Checkpoint : public ParameterSource {
 public:
  /// Throws BadCheckpoint, naming file and tensor: what CheckpointFiles and shape_of_config()
  /// throw; a tensor that is missing, of another shape than the model's, of a dtype other than F32,
  /// BF16 and F16, or of a part that the model does not have; an output of its own.
  explicit Checkpoint(const std::string& path);

  const ModelShape& shape() const override { return shape_; }
  /// Throws BadCheckpoint where the file has changed since.
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override;

  /// Where a tensor of the model lies in its file, which is mapped as long as the object lives.
  const MappedTensor& tensor(const std::string& name) const { return *place(name).tensor; }
  /// Of all its files.
  std::uint64_t file_bytes() const { return files_.file_bytes(); }
  std::vector<std::string> paths() const { return files_.paths(); }

 private:
  using Place = CheckpointFiles::Place;

  void require_tensors() const;
  const Place& place(const std::string& name) const;

  std::string path_;
  CheckpointFiles files_;
  ModelShape shape_;
  bool says_tied_ = false;  // a config did
};

}  // namespace perf::workloads
