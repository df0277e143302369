#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/model/checkpoint_files.h"
#include "workloads/quantization/tensor_source.h"

namespace perf::workloads {

/// The matrices of a checkpoint of whatever model (model/checkpoint_files.h: a safetensors file, or
/// a folder with one or with an index and shards): every tensor of two dimensions in F32, BF16 or
/// F16. Part and layer are read off the usual names ("model.layers.7.self_attn.q_proj.weight").
/// Everything else in it is kept as it is. Read by pread, never through the mapping: what was read
/// does not count as resident.
class CheckpointTensors : public TensorSource {
 public:
  /// Throws BadCheckpoint as CheckpointFiles does, where there is no such tensor at all, and for a
  /// checkpoint that is quantized already.
  explicit CheckpointTensors(const std::string& path);

  const std::vector<Tensor>& tensors() const override { return tensors_; }
  const std::vector<SafetensorsEntry>& kept() const override { return kept_; }
  /// By all threads. Throws BadCheckpoint where the file has changed since it was opened.
  void read(std::size_t tensor, std::size_t first, std::size_t count, float* values) const override;
  void read_kept(std::size_t tensor, std::uint64_t first, std::size_t count,
                 std::byte* bytes) const override;

  /// The shape's, where it is a model that inference knows, so that the quantized file is one, too.
  std::map<std::string, std::string> metadata() const override { return metadata_; }

  std::vector<std::string> paths() const { return files_.paths(); }
  std::uint64_t file_bytes() const { return files_.file_bytes(); }
  /// What read() takes from the files for all tensors.
  std::uint64_t matrix_bytes() const;

 private:
  using Place = CheckpointFiles::Place;

  CheckpointFiles files_;
  std::vector<Tensor> tensors_;
  std::vector<SafetensorsEntry> kept_;
  std::map<std::string, std::string> metadata_;
  std::vector<Place> matrix_places_, kept_places_;  // of tensors_, of kept_
};

/// What a tensor's name says of its place in the model, in the names of the LLaMA, Qwen and GPT-2
/// families.
struct NamedPlace {
  std::string part;  ///< as Tensor has it
  int layer = Tensor::kNoLayer;
};
NamedPlace place_by_name(const std::string& tensor);

}  // namespace perf::workloads
