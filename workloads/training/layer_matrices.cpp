#include "workloads/training/layer_matrices.h"

#include <algorithm>

namespace perf::workloads {

MatrixSize size_of(const ModelShape& shape, LayerMatrix matrix) {
  switch (matrix) {
    case LayerMatrix::qkv:
      return {shape.qkv_width(), shape.width()};
    case LayerMatrix::out:
      return {shape.width(), shape.query_width()};
    case LayerMatrix::gate_up:
      return {2 * shape.inner(), shape.width()};
    case LayerMatrix::down:
      break;
  }
  return {shape.width(), shape.inner()};
}

std::size_t offset_of(const ModelLayout& layout, LayerMatrix matrix, int layer) {
  switch (matrix) {
    case LayerMatrix::qkv:
      return layout.qkv(layer);
    case LayerMatrix::out:
      return layout.out(layer);
    case LayerMatrix::gate_up:
      return layout.gate_up(layer);
    case LayerMatrix::down:
      break;
  }
  return layout.down(layer);
}

LayerMatrix matrix_of(Projection projection) {
  switch (projection) {
    case Projection::q:
    case Projection::k:
    case Projection::v:
      return LayerMatrix::qkv;
    case Projection::o:
      return LayerMatrix::out;
    case Projection::gate:
    case Projection::up:
      return LayerMatrix::gate_up;
    case Projection::down:
      break;
  }
  return LayerMatrix::down;
}

OutputRange outputs_of(const ModelShape& shape, Projection projection) {
  const std::size_t query = shape.query_width(), kv = shape.kv_width(), inner = shape.inner();
  switch (projection) {
    case Projection::q:
      return {0, query};
    case Projection::k:
      return {query, kv};
    case Projection::v:
      return {query + kv, kv};
    case Projection::gate:
      return {0, inner};
    case Projection::up:
      return {inner, inner};
    case Projection::o:
    case Projection::down:
      break;
  }
  return {0, shape.width()};
}

GradientReach::GradientReach(const ModelShape& shape, const LoraOptions& lora)
    : everything_(lora.rank == 0) {
  if (everything_) {
    return;
  }
  const LoraLayout layout(shape, lora);
  // In the order of layers, then of Projection, which is that of LayerMatrix: from below.
  layer_ = layout.adapters.front().layer;
  matrix_ = matrix_of(layout.adapters.front().target);
}

bool GradientReach::outputs(int layer, LayerMatrix matrix) const {
  return everything_ || layer > layer_ || (layer == layer_ && matrix >= matrix_);
}

bool GradientReach::inputs(int layer, LayerMatrix matrix) const {
  return everything_ || layer > layer_ || (layer == layer_ && matrix > matrix_);
}

}  // namespace perf::workloads
