#include "workloads/quantization/synthetic_model.h"

namespace perf::workloads {

std::vector<Tensor> SyntheticShape::tensors() const {
  const auto h = static_cast<std::size_t>(hidden);
  const auto i = static_cast<std::size_t>(intermediate);
  std::vector<Tensor> all = {
      {"embedding.weight", "embedding", static_cast<std::size_t>(vocabulary), h}};
  for (int layer = 0; layer < layers; ++layer) {
    const std::string prefix = "layers." + std::to_string(layer) + ".";
    for (const char* name : {"q", "k", "v", "o"})
      all.push_back({prefix + "attention." + name + ".weight", "attention", h, h});
    all.push_back({prefix + "mlp.up.weight", "mlp", i, h});
    all.push_back({prefix + "mlp.down.weight", "mlp", h, i});
  }
  return all;
}

std::size_t SyntheticShape::parameters() const {
  std::size_t sum = 0;
  for (const Tensor& tensor : tensors())
    sum += tensor.values();
  return sum;
}

}  // namespace perf::workloads
