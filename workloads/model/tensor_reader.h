#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/model/safetensors_contents.h"

namespace perf::workloads {

/// A tensor of a mapped file.
struct MappedTensor {
  SafetensorsEntry entry;
  std::size_t bytes = 0;
  const std::byte* data = nullptr;  ///< aligned to nothing
};

/// A safetensors or Parquet file (parquet.h), mapped to be read only. Its header is checked whole
/// before anything is read: a hostile or broken file gives an error that names the file and the
/// tensor, and says what is wrong with it; never a crash, never a wrong number.
class TensorReader {
 public:
  /// Throws BadCheckpoint: no file, or none that can be mapped (a folder, a pipe); shorter than its
  /// header says; a header of more than kMostHeader bytes; and what read_safetensors_header() or
  /// read_parquet() throws.
  explicit TensorReader(const std::string& path);
  ~TensorReader();
  TensorReader(const TensorReader&) = delete;
  TensorReader& operator=(const TensorReader&) = delete;

  /// 100 MB, the format's own limit.
  static constexpr std::uint64_t kMostHeader = 100'000'000;

  const std::string& path() const { return path_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  /// In the order of their data.
  const std::vector<MappedTensor>& tensors() const { return tensors_; }
  /// Null if there is none of that name.
  const MappedTensor* find(const std::string& name) const;
  std::uint64_t file_bytes() const { return static_cast<std::uint64_t>(status_.st_size); }

  /// Values first .. first + count of a tensor in F32, BF16 or F16, widened; by several threads at
  /// once. Throws BadCheckpoint for another dtype, std::out_of_range past its end, and what
  /// require_unchanged() throws.
  void read(const MappedTensor& tensor, std::size_t first, std::size_t count, float* values) const;

  /// Bytes first .. first + count of a tensor, copied by the system and not out of the mapping:
  /// what is read so does not count as this process's memory. By several threads at once. Throws
  /// BadCheckpoint where the file ends early or has changed, std::out_of_range past the end.
  void copy(const MappedTensor& tensor, std::uint64_t first, std::size_t count,
            std::byte* bytes) const;

  /// Throws BadCheckpoint where the file is not any more as it was when it was opened. Called by
  /// read() before it touches the mapping: what was cut off a file since ends the process (SIGBUS)
  /// when it is touched. Only a cut within those microseconds still does.
  void require_unchanged() const;

 private:
  void map();

  std::string path_;
  int file_ = -1;
  struct stat status_ = {};
  std::byte* mapping_ = nullptr;
  std::map<std::string, std::string> metadata_;
  std::vector<MappedTensor> tensors_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace perf::workloads
