#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/model/safetensors.h"
#include "workloads/quantization/tensor.h"

namespace perf::workloads {

/// The weight matrices that are quantized, and where their values come from: random numbers of a
/// seed (synthetic_model.h), or a safetensors file (checkpoint_tensors.h).
class TensorSource {
 public:
  virtual ~TensorSource() = default;

  /// In the order in which they lie.
  virtual const std::vector<Tensor>& tensors() const = 0;
  /// Rows first .. first + count of a tensor, as floats: (count,columns). Not by several threads at
  /// once; may use them all itself.
  virtual void read(std::size_t tensor, std::size_t first, std::size_t count,
                    float* values) const = 0;

  /// What else belongs to the model and is not quantized: norms and biases of a real checkpoint.
  virtual const std::vector<SafetensorsEntry>& kept() const {
    static const std::vector<SafetensorsEntry> none;
    return none;
  }
  /// Bytes first .. first + count of one of these.
  virtual void read_kept(std::size_t, std::uint64_t, std::size_t, std::byte*) const {}

  /// What a file that is made of them says of the model, beside how it is quantized.
  virtual std::map<std::string, std::string> metadata() const { return {}; }

  std::size_t values() const {
    std::size_t sum = 0;
    for (const Tensor& tensor : tensors()) {
      sum += tensor.values();
    }
    return sum;
  }
};

}  // namespace perf::workloads
