#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workloads/model/safetensors.h"

namespace perf::workloads {

/// The formats in which a file holds tensors. A reader recognizes them by the file's first bytes.
enum class Container { safetensors, parquet };

/// "safetensors", "parquet": also the suffixes of their files.
const std::vector<std::string>& container_names();
/// Throws std::invalid_argument for another name.
Container container_from(const std::string& name);

/// Where everything lies in a file of tensors.
struct TensorFileLayout {
  /// Headers and footers, by their place: all bytes of the file that are no tensor's.
  std::vector<std::pair<std::uint64_t, std::string>> around;
  std::vector<std::uint64_t> begins;  ///< of each tensor
  std::uint64_t bytes = 0;            ///< of the file
};

/// Tensors in their order. Throws what safetensors_header() or parquet_layout() throws.
TensorFileLayout tensor_file_layout(Container container,
                                    const std::vector<SafetensorsEntry>& tensors,
                                    const std::map<std::string, std::string>& metadata);

/// Writes a file of tensors piece by piece, so that a large model is never held for it. Until
/// finish() there is no file of that name, or still the old one: the pieces go to a file beside it,
/// which is renamed at the end, and removed where it does not come to that: where the process was
/// killed, by the next writer of the same path.
/// All but the destructor throw std::runtime_error with the path and the system's reason.
class TensorWriter {
 public:
  /// `header` from safetensors_header(), to be followed by `data_bytes` bytes.
  TensorWriter(std::string path, const std::string& header, std::uint64_t data_bytes);
  /// Writes what lies around the tensors. Those follow by put(), at places from the file's start.
  TensorWriter(std::string path, const TensorFileLayout& layout);
  ~TensorWriter();
  TensorWriter(const TensorWriter&) = delete;
  TensorWriter& operator=(const TensorWriter&) = delete;

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
