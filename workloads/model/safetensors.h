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

/// Writes a safetensors file piece by piece, so that a large model is never held for it. Until
/// finish() there is no file of that name, or still the old one: the pieces go to a file beside it,
/// which is renamed at the end, and removed where it does not come to that: where the process was
/// killed, by the next writer of the same path.
/// All but the destructor throw std::runtime_error with the path and the system's reason.
class SafetensorsWriter {
 public:
  /// `header` from safetensors_header(), to be followed by `data_bytes` bytes.
  SafetensorsWriter(std::string path, const std::string& header, std::uint64_t data_bytes);
  ~SafetensorsWriter();
  SafetensorsWriter(const SafetensorsWriter&) = delete;
  SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

  /// The next bytes, in the order of the tensors.
  void append(const void* bytes, std::size_t count);
  /// Bytes at this place of the data, in any order, each once, in place of append(): for tensors
  /// that come side by side.
  void put(std::uint64_t place, const void* bytes, std::size_t count);
  /// Has the system write to the disk, beside what the process does, what was put there so far.
  void start_writing_back() const;
  /// Waits until everything lies on the disk.
  void sync() const;
  /// Throws std::logic_error where more or fewer bytes came than were announced.
  void finish();

 private:
  void write_at(std::uint64_t place, const void* bytes, std::size_t count);
  [[noreturn]] void fail() const;

  std::string path_, partial_;
  int file_ = -1;
  std::uint64_t header_bytes_, end_ = 0;  // where append() goes on
  std::uint64_t missing_;
};

}  // namespace perf::workloads
