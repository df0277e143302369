#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/model/safetensors.h"

namespace perf::workloads {

/// A tensor and its place in the data of its file.
struct PlacedTensor {
  SafetensorsEntry entry;
  std::uint64_t begin = 0, end = 0;  ///< bytes after the header
};

/// What a safetensors header says.
struct SafetensorsContents {
  std::map<std::string, std::string> metadata;
  std::vector<PlacedTensor> tensors;  ///< in the order of their data
};

/// Reads the JSON of a header whose data has `data_bytes` bytes, and checks all of it, as
/// https://huggingface.co/docs/safetensors has it: an object of tensors, each with a known dtype, a
/// shape and offsets, no name twice, the offsets as large as the shape says and side by side from 0
/// to the end of the data. Members the format does not have are refused as well. Its memory is
/// bounded by the text's. Throws BadCheckpoint, which names `path` and the tensor.
SafetensorsContents read_safetensors_header(std::string_view json, std::uint64_t data_bytes,
                                            const std::string& path);

/// Throws BadCheckpoint where a tensor's place is not as large as its shape and dtype say, or lies
/// outside of `data_bytes`.
void require_whole(const PlacedTensor& tensor, std::uint64_t data_bytes, const std::string& path);

/// Bits of a value of one of the format's dtypes ("F32", "BOOL", "F8_E4M3", ...); 0 for a name that
/// is none of them.
unsigned safetensors_bits(const std::string& type);

}  // namespace perf::workloads
