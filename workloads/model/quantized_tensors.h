#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "workloads/kernels/quantize.h"
#include "workloads/model/tensor_reader.h"

namespace perf::workloads {

/// How a file has the matrices that a quantization made (quantization/quantized_file.h). Of each
/// matrix NAME (rows,columns), as QuantizedMatrix has them:
///     NAME.codes   U8 (rows,code_row_bytes)
///     NAME.scales  F32 or BF16 (rows,groups)
inline constexpr char kCodes[] = ".codes", kScales[] = ".scales";
inline constexpr char kQuantizedFormat[] = "perf-workloads quantized";
SafetensorsEntry codes_entry(const Scheme& scheme, const std::string& name, std::size_t rows,
                             std::size_t columns);
SafetensorsEntry scales_entry(const Scheme& scheme, const std::string& name, std::size_t rows,
                              std::size_t columns);

/// Its metadata: format kQuantizedFormat, type (int8, int4, int2, nf4) and group (columns,
/// or "channel").
std::map<std::string, std::string> quantized_metadata(const Scheme& scheme);
/// What they say; none of another file. Throws BadCheckpoint where the format is named, but no such
/// type or group.
std::optional<Scheme> quantized_scheme(const TensorReader& file);

/// One matrix in its file, or files.
struct QuantizedPlace {
  Scheme scheme;
  const TensorReader& codes_file;
  const MappedTensor& codes;
  const TensorReader& scales_file;
  const MappedTensor& scales;
};

/// Rows first .. first + to.rows of the matrix, as they are stored. By several threads at once.
/// Throws BadCheckpoint where a file has changed since it was opened.
void read_codes(const QuantizedPlace& from, std::size_t first, const QuantizedMatrix& to);
/// Values first .. first + count of the matrix, whatever rows they lie in. By several threads at
/// once. Throws as read_codes().
void read_quantized(const QuantizedPlace& from, std::size_t columns, std::size_t first,
                    std::size_t count, float* values);

}  // namespace perf::workloads
