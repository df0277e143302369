#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workloads/model/safetensors_contents.h"
#include "workloads/model/tensor_writer.h"

namespace perf::workloads {

/// At both ends of a Parquet file. A safetensors file does not begin so: its header would be larger
/// than the format allows.
inline constexpr char kParquetMagic[] = "PAR1";

/// A Parquet file (https://github.com/apache/parquet-format) of one row group with one row, in
/// which each tensor is a column, and its values a list, without compression. A column's type is
/// repeated and not required: columns of a row group have equally many rows, tensors different
/// numbers of values. All values of a tensor lie in one page, plain and side by side, at a multiple
/// of 64, so that they can be mapped.
/// Types: F32, F64, I32 and I64 are FLOAT, DOUBLE, INT32 and INT64; F16 is FIXED_LEN_BYTE_ARRAY(2)
/// of the logical type FLOAT16. Parquet has no others of those sizes (an 8-bit integer takes 4
/// bytes): a value of their columns is FIXED_LEN_BYTE_ARRAY, one row of the tensor as it is.
/// The file's key-value metadata are `metadata`, and under "tensors" the JSON object
/// {NAME: {"dtype": ..., "shape": [...], "modality": "text", "vision" or "audio"}}; the modality is
/// that of NAME's words.
/// Throws std::invalid_argument for a name that comes twice, BadCheckpoint for a tensor that is
/// larger than a page may be (2 GiB).
TensorFileLayout parquet_layout(const std::vector<SafetensorsEntry>& tensors,
                                const std::map<std::string, std::string>& metadata);

/// Reads `count` bytes at `from`; throws where there are fewer.
using ReadBytes = std::function<void(std::uint64_t from, char* to, std::size_t count)>;

/// Reads the footer and page headers of a Parquet file, and checks them. Taken are files as above,
/// whoever wrote them: also columns of other levels (lists in groups, flat columns), data pages of
/// version 2, and files without "tensors", where FLOAT, DOUBLE, INT32, INT64 and FLOAT16 columns
/// are tensors of one dimension. Refused are compression, dictionaries, several pages or row
/// groups, nulls, and values of another size than the shape's. Places are from the file's start.
/// Throws BadCheckpoint, which names `path` and the column.
SafetensorsContents read_parquet(std::uint64_t file_bytes, const ReadBytes& read,
                                 const std::string& path);

}  // namespace perf::workloads
