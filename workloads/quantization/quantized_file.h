#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/kernels/quantize.h"
#include "workloads/model/quantized_tensors.h"
#include "workloads/model/tensor_reader.h"
#include "workloads/model/tensor_writer.h"
#include "workloads/quantization/tensor_source.h"

namespace perf::workloads {

/// Where everything lies in the file of a quantized model. For each matrix NAME (rows,columns):
///     NAME.codes   U8 (rows,code_row_bytes)
///     NAME.scales  F32 or BF16 (rows,groups)
/// as QuantizedMatrix has them, and what is not quantized under its own name, unchanged. The
/// metadata are those of quantized_metadata(), and the source's. Larger types lie first, so that
/// all are aligned.
struct QuantizedLayout {
  /// Throws Error where two tensors would get the same name.
  QuantizedLayout(const TensorSource& source, const Scheme& scheme,
                  Container container = Container::safetensors);

  std::vector<SafetensorsEntry> entries;  ///< in their order in the file
  std::map<std::string, std::string> metadata;
  TensorFileLayout file;                     ///< of the entries
  std::vector<std::uint64_t> codes, scales;  ///< places in the file, by matrix of the source
  std::vector<std::uint64_t> kept;           ///< by kept tensor
};

/// A file of a quantized model, open to be read.
class QuantizedFile {
 public:
  /// Throws BadCheckpoint.
  explicit QuantizedFile(const std::string& path) : file_(path) {}

  /// Rows first .. first + to.rows of a matrix, as they lie in the file. Throws BadCheckpoint where
  /// there is no such matrix of this scheme and these columns.
  void read(const std::string& tensor, std::size_t first, const QuantizedMatrix& to) const;

  const TensorReader& file() const { return file_; }

 private:
  const MappedTensor& require(const SafetensorsEntry& wanted) const;

  TensorReader file_;
};

}  // namespace perf::workloads
