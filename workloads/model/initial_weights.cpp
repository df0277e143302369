#include "workloads/model/initial_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

/// How the values of a tensor are spread.
struct Spread {
  float mean = 0, deviation = 1;
};

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

Spread spread_of(const ModelShape& shape, const ModelTensor& tensor) {
  constexpr float kVectors = 0.1F;  // biases and gains: different, but no matter for the sizes
  if (tensor.shape.size() == 1) {
    return {.mean = ends_with(tensor.name, ".bias") ? 0.0F : 1.0F, .deviation = kVectors};
  }
  // 1/fan_in keeps an input of unit size at unit size.
  const float unit = 1 / std::sqrt(static_cast<float>(tensor.shape.back()));
  // Logits are products with these rows: of deviation 1/2 each, they cost 1/8 nat above ln V.
  if (ends_with(tensor.name, "embed_tokens.weight") || tensor.name == "lm_head.weight") {
    return {.mean = 0, .deviation = unit / 2};
  }
  // 2 * layers branches are added up; damped so that their sum stays at unit size.
  if (ends_with(tensor.name, "o_proj.weight") || ends_with(tensor.name, "down_proj.weight")) {
    return {.mean = 0, .deviation = unit / std::sqrt(2 * static_cast<float>(shape.layers))};
  }
  return {.mean = 0, .deviation = unit};
}

// FNV-1a (Fowler, Noll, Vo; RFC 9923), so that a tensor keeps its numbers wherever it stands.
constexpr std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  }
  return hash;
}

}  // namespace

template <class T>
void fill_initial_values(const ModelShape& shape, const ModelTensor& tensor, std::uint64_t seed,
                         std::size_t first, std::size_t count, T* values) {
  constexpr std::size_t kBlock = 4096;  // stays in the first cache until it is narrowed
  const Spread spread = spread_of(shape, tensor);
  const std::uint32_t stream = derived_seed(seed, hash_of(tensor.name));
#pragma omp parallel for schedule(static)
  for (std::size_t start = 0; start < count; start += kBlock) {
    const std::size_t size = std::min(kBlock, count - start);
    std::array<float, kBlock> block;
    fill_normal_part(block.data(), first + start, size, stream, spread.deviation);
    for (std::size_t i = 0; i < size; ++i) {
      block[i] += spread.mean;
    }
    narrow(block.data(), size, values + start);
  }
}

template <class T>
void fill_initial_weights(const ModelShape& shape, std::uint64_t seed, T* parameters) {
  for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
    fill_initial_values(shape, tensor, seed, 0, tensor.values(), parameters + tensor.offset);
  }
}

#define PERF_INITIAL_WEIGHTS(T)                                                           \
  template void fill_initial_values(const ModelShape&, const ModelTensor&, std::uint64_t, \
                                    std::size_t, std::size_t, std::add_pointer_t<T>);     \
  template void fill_initial_weights(const ModelShape&, std::uint64_t, std::add_pointer_t<T>);
PERF_INITIAL_WEIGHTS(float)
PERF_INITIAL_WEIGHTS(Bf16)
PERF_INITIAL_WEIGHTS(Fp16)
#undef PERF_INITIAL_WEIGHTS

}  // namespace perf::workloads
