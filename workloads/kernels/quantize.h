#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/kernels/arena.h"

namespace perf::workloads {

/// What a weight becomes: a small integer (code) that means code * scale; nf4: a level * scale.
enum class CodeType { int8, int4, int2, nf4 };

/// "int8", "int4", "int2", "nf4": in the order of CodeType.
const std::vector<std::string>& code_type_names();
/// Throws std::invalid_argument for another name.
CodeType code_type_from(const std::string& name);
std::string name_of(CodeType type);
/// 8, 4, 2, 4.
std::size_t bits_of(CodeType type);

/// How a matrix is quantized: to what, and which weights of a row share a scale.
struct Scheme {
  CodeType type = CodeType::int8;
  std::size_t group = 0;  ///< columns; 0: the whole row, which is one output channel

  /// Scales of a row. The last group of a row may be shorter than the others.
  std::size_t groups(std::size_t columns) const;
  /// A scale of a whole row is a float, that of a group is Bf16, as inference stores it.
  std::size_t scale_bytes() const { return group == 0 ? sizeof(float) : sizeof(std::uint16_t); }
  /// Of a row: codes, from a whole byte on; scales.
  std::size_t code_row_bytes(std::size_t columns) const;
  std::size_t scale_row_bytes(std::size_t columns) const;

  bool operator==(const Scheme&) const = default;
};

/// A quantized matrix (rows,columns), in memory of its owner. Codes lie row by row, the first
/// column in a byte's lowest bits: int4 and nf4 two to a byte, int2 four; int8, int4 and int2 in
/// two's complement. A part of its rows is such a matrix, too.
struct QuantizedMatrix {
  Scheme scheme;
  std::size_t rows = 0, columns = 0;
  std::uint8_t* codes = nullptr;  ///< (rows,code_row_bytes)
  std::byte* scales = nullptr;    ///< (rows,groups): float or Bf16

  /// Both zeroed, each aligned to 64 bytes; and the room that this takes.
  static QuantizedMatrix take(const Scheme& scheme, std::size_t rows, std::size_t columns,
                              Arena& memory);
  static std::size_t room(const Scheme& scheme, std::size_t rows, std::size_t columns);

  std::size_t code_bytes() const { return rows * scheme.code_row_bytes(columns); }
  std::size_t scale_bytes() const { return rows * scheme.scale_row_bytes(columns); }
  std::size_t bytes() const { return code_bytes() + scale_bytes(); }
};

/// Symmetric quantization, to the nearest code. With m the value of largest magnitude of those
/// that share a scale:
///     int8   scale = |m| / 127   code = round(x / scale)             -127 .. 127
///     int4   scale = m / -8      code = round(x / scale)               -8 .. 7
///     int2   scale = m / -2      code = round(x / scale)               -2 .. 1
///     nf4    scale = |m|         code = the nearest of kNf4Levels to x / scale, 0 .. 15
/// Ties go to the even integer, between two levels to the lower one. Why m / -8, why groups' scales
/// are rounded to Bf16 before codes are chosen, and what becomes of zeros, infinities and NaN:
/// quantized_group.h, which stores the same for inference in groups of 32.
///
/// x / scale is the product with the inverse of the scale, both in single precision: where it is
/// within 2^-21 of its own size of the middle between two codes, either may be chosen.
///
/// in (to.rows,to.columns), of any alignment. By all threads; a row is read from memory once. The
/// result does not depend on the number of threads. Fast for groups (or, without, rows) of a
/// multiple of 32 columns; any other works.
void quantize(const float* in, const QuantizedMatrix& to);

/// The same by the formulas, in plain loops and double precision: the scales of quantize() to the
/// bit, and the codes but for those next to the middle.
void quantize_reference(const float* in, const QuantizedMatrix& to);

/// What codes and scales mean: out (from.rows,from.columns). By all threads.
void dequantize(const QuantizedMatrix& from, float* out);

/// How far the quantized values are from what they were, over all values of a matrix, taken in
/// double precision. By all threads, the same for any number of them.
struct QuantizationError {
  double signal = 0;  ///< sum of x^2
  double noise = 0;   ///< sum of (x - x')^2
  double values = 0;  ///< how many
  /// Largest |x - x'|, in units of half the gap from x' to the next level on the side of x: at most
  /// 1 (and a few 2^-21 of 127) if all codes are the nearest ones, more if any is not. Past the
  /// outermost level nothing is nearer, and no more than 1 is counted. A scale of 0 counts as 0
  /// where all values are as small as quantize() makes zeros of, else as infinite. NaN for NaN.
  double rounding = 0;

  QuantizationError& operator+=(const QuantizationError& more);
  double signal_to_noise() const;     ///< 10 log10(signal / noise), in dB
  double mean_squared_error() const;  ///< noise / values
};
QuantizationError quantization_error(const float* in, const QuantizedMatrix& quantized);

}  // namespace perf::workloads
