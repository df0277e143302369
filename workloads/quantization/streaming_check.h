#pragma once

#include <cstdint>
#include <string>

#include "workloads/kernels/quantize.h"
#include "workloads/quantization/streaming_quantization.h"
#include "workloads/quantization/tensor_source.h"

namespace perf::workloads {

/// How the file of a quantized model differs from what it should be. All are 0 for a right file.
struct StreamedErrors {
  double layout = 0;  ///< number of tensors that are missing, too many or of another type, place or
                      ///< shape, and 1 for other metadata; the others are then 1
  double rows = 0;    ///< share of bytes, of codes and scales, unlike the same rows by quantize()
  double kept = 0;    ///< share of bytes of tensors that are not quantized, unlike the source's
};

/// Reads the file back by TensorReader and compares, of every matrix, rows at both ends, in
/// the middle, around the border of two pieces and at a place of the seed's choice: each quantized
/// by itself, from values that are read again. Takes a few rows of memory, not the model's. Throws
/// BadCheckpoint for a file that is broken as such.
StreamedErrors streamed_errors(const TensorSource& source, const Scheme& scheme,
                               const std::string& path, std::uint64_t seed,
                               std::size_t piece_bytes = StreamingQuantization::kPieceBytes);

}  // namespace perf::workloads
