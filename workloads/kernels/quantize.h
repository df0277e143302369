#pragma once

#include <cstddef>
#include <cstdint>

namespace perf::workloads {

/// Symmetric int8, one scale a row (output channel): with a = max |in| of the row,
///     scale = a / 127,   out = round to nearest even (in / scale)   in -127 .. 127
/// A row of zeros gets scale 0 and zeros. in, out: (rows,columns); scales: (rows).
/// The fast one reads memory once: a row is scanned and then quantized while it is in the cache.
void quantize_int8(const float* in, std::int8_t* out, float* scales, std::size_t rows,
                   std::size_t columns);
void quantize_int8_reference(const float* in, std::int8_t* out, float* scales, std::size_t rows,
                             std::size_t columns);

/// Sums over all values, for the signal-to-noise ratio 10 log10(signal/noise).
struct QuantizationPower {
  double signal = 0;  ///< sum of in^2
  double noise = 0;   ///< sum of (in - scale out)^2
};
QuantizationPower quantization_power(const float* in, const std::int8_t* out, const float* scales,
                                     std::size_t rows, std::size_t columns);

/// Largest |in - scale out| / scale: half a level if every value went to its nearest level.
double largest_rounding(const float* in, const std::int8_t* out, const float* scales,
                        std::size_t rows, std::size_t columns);

}  // namespace perf::workloads
