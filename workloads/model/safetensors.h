#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/kernels/dtype.h"

namespace perf::workloads {

/// A tensor as a safetensors file describes it.
struct SafetensorsEntry {
  std::string name;
  std::string type;  ///< "F32", "BF16", "U8", ...: those of safetensors_contents.h
  std::vector<std::size_t> shape;

  /// Throws std::invalid_argument for a type that is none of the format's.
  std::uint64_t bytes() const;
};

/// "F32", "BF16", "F16".
std::string safetensors_type(DType dtype);

/// Everything before the data, as https://huggingface.co/docs/safetensors has it: the length of the
/// header in 8 bytes, lowest first, and a JSON object of the metadata and of each tensor's dtype,
/// shape and place in the data, padded with spaces so that the data begins at a multiple of 8. The
/// tensors lie in their order, without gaps. Throws std::invalid_argument for a name that comes
/// twice.
std::string safetensors_header(const std::vector<SafetensorsEntry>& tensors,
                               const std::map<std::string, std::string>& metadata);

}  // namespace perf::workloads
