#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf::workloads {

/// One weight matrix, (rows,columns), row-major: a row makes one output channel.
struct Tensor {
  std::string name;
  std::string part;  ///< embedding, attention or mlp
  std::size_t rows = 0, columns = 0;

  std::size_t values() const { return rows * columns; }
};

/// The weight matrices of a decoder as GPT-2 has them: an embedding (vocabulary,H), and in every
/// layer four (H,H) of the attention and two of the MLP, (I,H) and (H,I).
struct SyntheticShape {
  int layers = 12, hidden = 768, intermediate = 3072, vocabulary = 20000;

  std::vector<Tensor> tensors() const;
  std::size_t parameters() const;
};

}  // namespace perf::workloads
