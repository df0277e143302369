#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perf::workloads {

/// Throws Error for a file whose folder does not exist, and for one that exists already, unless it
/// is a regular file and may be replaced by `force`.
void require_writable(const std::string& file, bool force);

/// Whether the options have `force`, which is taken away: the others are those of `run`. Throws
/// Error for a value that is neither on nor off.
bool take_force(std::map<std::string, std::string>& options);

/// A tensor to write: floats as F32, or, where there are none, integers as I32.
struct NamedTensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> floats;
  std::vector<std::int32_t> integers = {};
};

/// Writes them as a safetensors file made by `perf-workloads VERB`; its bytes. Throws what
/// TensorWriter throws.
std::uint64_t write_tensors(const std::vector<NamedTensor>& tensors, const std::string& verb,
                            const std::string& file);

}  // namespace perf::workloads
