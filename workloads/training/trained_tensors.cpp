#include "workloads/training/trained_tensors.h"

#include "workloads/training/lora_choice.h"

namespace perf::workloads {

namespace {

std::vector<TrainedTensor> model_tensors(const ModelShape& shape) {
  const ModelLayout layout(shape);
  std::vector<TrainedTensor> tensors = {{.kind = "embedding", .offset = layout.embedding()}};
  for (int layer = 0; layer < shape.layers; ++layer) {
    tensors.push_back({.kind = "attention_norm", .offset = layout.attention_norm(layer)});
    tensors.push_back({.kind = "qkv", .offset = layout.qkv(layer)});
    if (shape.has_qkv_bias) {
      tensors.push_back({.kind = "qkv_bias", .offset = layout.qkv_bias(layer)});
    }
    tensors.push_back({.kind = "out", .offset = layout.out(layer)});
    tensors.push_back({.kind = "mlp_norm", .offset = layout.mlp_norm(layer)});
    tensors.push_back({.kind = "gate_up", .offset = layout.gate_up(layer)});
    tensors.push_back({.kind = "down", .offset = layout.down(layer)});
  }
  tensors.push_back({.kind = "final_norm", .offset = layout.final_norm()});
  if (!shape.is_tied) {
    tensors.push_back({.kind = "output", .offset = layout.output()});
  }
  // They lie without gaps.
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::size_t end = i + 1 < tensors.size() ? tensors[i + 1].offset : shape.parameters();
    tensors[i].count = end - tensors[i].offset;
  }
  return tensors;
}

}  // namespace

std::vector<TrainedTensor> trained_tensors(const TrainingSetup& setup) {
  if (setup.trains_all()) {
    return model_tensors(setup.shape);
  }
  const auto rank = static_cast<std::size_t>(setup.lora.rank);
  std::vector<TrainedTensor> tensors;
  for (const LoraLayout::Adapter& adapter : LoraLayout(setup.shape, setup.lora).adapters) {
    const std::string name = name_of(adapter.target);
    tensors.push_back({.kind = name + ".A", .offset = adapter.a, .count = rank * adapter.inputs});
    tensors.push_back({.kind = name + ".B", .offset = adapter.b, .count = rank * adapter.outputs});
  }
  return tensors;
}

}  // namespace perf::workloads
