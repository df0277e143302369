#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {

/// The linear maps of a layer that an adapter can stand beside.
enum class Projection { q, k, v, o, gate, up, down };
inline constexpr int kProjections = 7;

/// Low-rank adaptation (Hu et al., arXiv:2106.09685): y = W x + (alpha / rank) B (A x) with the
/// model frozen; A (rank,inputs) random, B (outputs,rank) zero at first. rank 0: none, the whole
/// model is trained.
struct LoraOptions {
  int rank = 0;
  double alpha = 16;
  std::vector<Projection> targets = {Projection::q, Projection::v};
  std::vector<bool> layers = {};  ///< one a layer; empty: all
};

/// Where each adapter lies in one array of all adapter parameters: layer by layer, target by target
/// in the order of Projection, A before B.
struct LoraLayout {
  struct Adapter {
    int layer = 0;
    Projection target = Projection::q;
    std::size_t inputs = 0, outputs = 0, a = 0,
                b = 0;  ///< offsets of A (rank,inputs), B (outputs,rank)
  };
  std::vector<Adapter> adapters;
  std::size_t parameters = 0;

  /// Throws std::invalid_argument where there is a rank but no layer or target, or where the layers
  /// are not one a layer.
  LoraLayout(const ModelShape& shape, const LoraOptions& options);

  /// Null where there is none.
  const Adapter* find(int layer, Projection target) const;
};

/// Adapters as they are before the first step, laid out as LoraLayout says: A uniform within
/// 1/sqrt(inputs), B zero, so that the first forward pass is the frozen model's. From `seed` and
/// the position alone. T: float, Bf16, Fp16; the narrow types hold the float values rounded.
template <class T>
void fill_initial_adapters(const ModelShape& shape, const LoraOptions& options, std::uint64_t seed,
                           T* adapters);

}  // namespace perf::workloads
