#include "workloads/quantization/checkpoint_tensors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>

#include "workloads/kernels/dtype.h"
#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/checkpoint.h"
#include "workloads/model/checkpoint_shape.h"
#include "workloads/model/quantized_tensors.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;   // values that one thread reads at once
constexpr std::size_t kNarrow = std::size_t{1} << 15;  // of two bytes: 64 KiB, on the stack

bool is_matrix(const SafetensorsEntry& entry) {
  return entry.shape.size() == 2 && entry.shape[0] > 0 && entry.shape[1] > 0 &&
         (entry.type == "F32" || entry.type == "BF16" || entry.type == "F16");
}

template <class T>
void copy_widened(const CheckpointFiles::Place& from, std::size_t first, std::size_t count,
                  float* values) {
  std::array<T, kNarrow> narrow;
  for (std::size_t done = 0; done < count; done += kNarrow) {
    const std::size_t some = std::min(kNarrow, count - done);
    from.file->copy(*from.tensor, (first + done) * sizeof(T), some * sizeof(T),
                    reinterpret_cast<std::byte*>(narrow.data()));
    widen(narrow.data(), some, values + done);
  }
}

void copy_values(const CheckpointFiles::Place& from, std::size_t first, std::size_t count,
                 float* values) {
  if (from.tensor->entry.type == "BF16") {
    copy_widened<Bf16>(from, first, count, values);
  } else if (from.tensor->entry.type == "F16") {
    copy_widened<Fp16>(from, first, count, values);
  } else {
    from.file->copy(*from.tensor, first * sizeof(float), count * sizeof(float),
                    reinterpret_cast<std::byte*>(values));
  }
}

bool has_any(const std::string& name, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

// The number after "layers.", "h.", ...: kNoLayer where there is none.
int layer_of(const std::string& name) {
  for (const std::string list : {"layers.", "layer.", "blocks.", "block.", "h."}) {
    const std::size_t at = name.compare(0, list.size(), list) == 0 ? 0 : name.find("." + list);
    if (at == std::string::npos) {
      continue;
    }
    std::size_t digit = name.find(list, at) + list.size();
    int layer = 0, digits = 0;
    for (; digit < name.size() && std::isdigit(static_cast<unsigned char>(name[digit])) != 0 &&
           digits < 6;
         ++digit, ++digits) {
      layer = 10 * layer + (name[digit] - '0');
    }
    if (digits > 0 && digit < name.size() && name[digit] == '.') {
      return layer;
    }
  }
  return Tensor::kNoLayer;
}

}  // namespace

NamedPlace place_by_name(const std::string& tensor) {
  const int layer = layer_of(tensor);
  if (has_any(tensor, {"attn", "attention"})) {
    return {"attention", layer};
  }
  if (has_any(tensor, {"mlp", "feed_forward", "ffn"})) {
    return {"mlp", layer};
  }
  if (layer == Tensor::kNoLayer && has_any(tensor, {"embed", "wte.", "wpe."})) {
    return {"embedding", layer};
  }
  if (layer == Tensor::kNoLayer && has_any(tensor, {"lm_head", "output"})) {
    return {"output", layer};
  }
  return {"other", layer};
}

namespace {

std::map<std::string, std::string> metadata_of_model(const std::string& path) {
  try {
    return metadata_of(Checkpoint(path).shape());
  } catch (const BadCheckpoint&) {  // some other model
    return {};
  }
}

}  // namespace

CheckpointTensors::CheckpointTensors(const std::string& path) : files_(path) {
  for (const auto& file : files_.files()) {
    if (quantized_scheme(*file)) {
      throw BadCheckpoint("a checkpoint that is quantized already", file->path(),
                          "the checkpoint that it was made of");
    }
    for (const MappedTensor& tensor : file->tensors()) {
      const Place* place = files_.find(tensor.entry.name);
      if (place == nullptr || place->tensor != &tensor)  // the index names another file, or none
      {
        continue;
      }
      if (is_matrix(tensor.entry)) {
        const auto [part, layer] = place_by_name(tensor.entry.name);
        tensors_.push_back(
            {tensor.entry.name, part, layer, tensor.entry.shape[0], tensor.entry.shape[1]});
        matrix_places_.push_back(*place);
      } else {
        kept_.push_back(tensor.entry);
        kept_places_.push_back(*place);
      }
    }
  }
  if (tensors_.empty()) {
    throw BadCheckpoint("nothing to quantize", path + ": no matrix in F32, BF16 or F16",
                        "the checkpoint of a model");
  }
  metadata_ = metadata_of_model(path);
}

void CheckpointTensors::read(std::size_t tensor, std::size_t first, std::size_t count,
                             float* values) const {
  const Place& place = matrix_places_.at(tensor);
  const std::size_t columns = tensors_[tensor].columns;
  const std::size_t start = first * columns, all = count * columns;
  std::exception_ptr failure;  // none may leave a parallel loop
#pragma omp parallel for schedule(static, 1)
  for (std::size_t begin = 0; begin < all; begin += kBlock) {
    try {
      copy_values(place, start + begin, std::min(kBlock, all - begin), values + begin);
    } catch (...) {
#pragma omp critical(checkpoint_tensors_failure)
      failure = std::current_exception();
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

void CheckpointTensors::read_kept(std::size_t tensor, std::uint64_t first, std::size_t count,
                                  std::byte* bytes) const {
  const Place& place = kept_places_.at(tensor);
  place.file->copy(*place.tensor, first, count, bytes);
}

std::uint64_t CheckpointTensors::matrix_bytes() const {
  std::uint64_t bytes = 0;
  for (const Place& place : matrix_places_) {
    bytes += place.tensor->bytes;
  }
  return bytes;
}

}  // namespace perf::workloads
