#include "workloads/training/starting_point.h"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/model/checkpoint_shape.h"
#include "workloads/model/initial_weights.h"
#include "workloads/model/tensor_writer.h"
#include "workloads/training/batch.h"
#include "workloads/training/lora_choice.h"

namespace perf::workloads {

namespace {

void write_batch(const StartingPoint& start, TensorWriter& file) {
  static_assert(sizeof(int) == 4, "tokens are written as I32");
  std::vector<int> tokens, targets;
  fill_batch(start.shape.vocabulary, start.seed, start.batch, start.length, tokens, targets);
  file.append(tokens.data(), tokens.size() * sizeof(int));
  file.append(targets.data(), targets.size() * sizeof(int));
}

template <class T>
void write_weights(const StartingPoint& start, TensorWriter& file) {
  constexpr std::size_t kPiece = 1 << 22;  // values: enough to keep all threads busy
  std::vector<T> piece(kPiece);
  for (const ModelTensor& tensor : ModelLayout(start.shape).tensors()) {
    for (std::size_t first = 0; first < tensor.values(); first += kPiece) {
      const std::size_t count = std::min(kPiece, tensor.values() - first);
      fill_initial_values(start.shape, tensor, start.seed, first, count, piece.data());
      file.append(piece.data(), count * sizeof(T));
    }
  }
}

template <class T>
void write_adapters(const StartingPoint& start, TensorWriter& file) {
  std::vector<T> adapters(LoraLayout(start.shape, start.lora).parameters);
  fill_initial_adapters(start.shape, start.lora, start.seed, adapters.data());
  file.append(adapters.data(), adapters.size() * sizeof(T));
}

template <class T>
void write_values(const StartingPoint& start, TensorWriter& file) {
  write_batch(start, file);
  write_weights<T>(start, file);
  if (start.lora.rank > 0) {
    write_adapters<T>(start, file);
  }
}

std::string layers_text(const LoraOptions& lora) {
  if (lora.layers.empty()) {
    return "all";
  }
  std::vector<std::size_t> chosen;
  for (std::size_t layer = 0; layer < lora.layers.size(); ++layer) {
    if (lora.layers[layer]) {
      chosen.push_back(layer);
    }
  }
  return fmt::format("{}", fmt::join(chosen, ","));
}

}  // namespace

std::vector<SafetensorsEntry> tensors_of(const StartingPoint& start) {
  std::vector<SafetensorsEntry> tensors;
  if (start.batch > 0) {
    for (const char* name : {"tokens", "targets"}) {
      tensors.push_back({name, "I32", {start.batch, start.length}});
    }
  }
  const std::string type = safetensors_type(start.dtype);
  for (const ModelTensor& tensor : ModelLayout(start.shape).tensors()) {
    tensors.push_back({tensor.name, type, tensor.shape});
  }
  if (start.lora.rank == 0) {
    return tensors;
  }
  const auto rank = static_cast<std::size_t>(start.lora.rank);
  for (const LoraLayout::Adapter& adapter : LoraLayout(start.shape, start.lora).adapters) {
    const std::string name = fmt::format("lora.{}.{}.", adapter.layer, name_of(adapter.target));
    tensors.push_back({name + "A", type, {rank, adapter.inputs}});
    tensors.push_back({name + "B", type, {adapter.outputs, rank}});
  }
  return tensors;
}

std::map<std::string, std::string> metadata_of(const StartingPoint& start) {
  std::map<std::string, std::string> metadata = metadata_of(start.shape);
  const auto add = [&](const char* name, auto value) { metadata[name] = fmt::format("{}", value); };
  add("model", start.model);
  add("dtype", name_of(start.dtype));
  add("seed", start.seed);
  if (start.lora.rank > 0) {
    std::vector<std::string> targets;
    for (const Projection target : start.lora.targets) {
      targets.push_back(name_of(target));
    }
    add("lora_rank", start.lora.rank);
    add("lora_targets", fmt::format("{}", fmt::join(targets, ",")));
    add("lora_layers", layers_text(start.lora));
  }
  return metadata;
}

std::uint64_t write_starting_point(const StartingPoint& start, const std::string& path) {
  const std::vector<SafetensorsEntry> tensors = tensors_of(start);
  const std::string header = safetensors_header(tensors, metadata_of(start));
  std::uint64_t bytes = 0;
  for (const SafetensorsEntry& tensor : tensors) {
    bytes += tensor.bytes();
  }
  TensorWriter file(path, header, bytes);
  switch (start.dtype) {
    case DType::fp32:
      write_values<float>(start, file);
      break;
    case DType::bf16:
      write_values<Bf16>(start, file);
      break;
    case DType::fp16:
      write_values<Fp16>(start, file);
      break;
  }
  file.finish();
  return header.size() + bytes;
}

}  // namespace perf::workloads
