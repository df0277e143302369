#pragma once

#include <cstddef>
#include <string>

namespace perf::workloads {

/// One weight matrix of a model, (rows,columns), row-major: a row makes one output channel.
struct Tensor {
  static constexpr int kNoLayer = -1;

  std::string name;
  std::string part;      ///< embedding, attention, mlp or output; of a checkpoint also "other"
  int layer = kNoLayer;  ///< of the decoder
  std::size_t rows = 0, columns = 0;

  std::size_t values() const { return rows * columns; }
};

}  // namespace perf::workloads
