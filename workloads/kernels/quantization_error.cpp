#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "workloads/kernels/quantization_levels.h"
#include "workloads/kernels/quantization_scale.h"
#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kParts = 64;  // of the rows: the sum does not depend on who adds up which
constexpr std::size_t kPiece = 256;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMagnitude = std::numeric_limits<std::int64_t>::max();  // all but the sign

double larger(double a, double b) {  // NaN is the largest
  return a > b || std::isnan(a) ? a : b;
}

// A piece of a group: what its codes stand for, and one over half of the gaps to the next levels
// above and below, which is all the room that a nearest level leaves. Past an outer level the room
// is that of its inner side.
struct Levels {
  double low = 0, high = 0;
  std::array<float, kPiece> level, per_half_gap_up, per_half_gap_down;
};

void unpack_nf4(const std::uint8_t* codes, std::size_t begin, std::size_t count, Levels& to) {
  std::array<float, 16> gaps{};  // below each level; the first has none
  for (std::size_t i = 1; i < gaps.size(); ++i) {
    gaps[i] = kNf4Levels[i] - kNf4Levels[i - 1];
  }
  std::array<float, 16> up{}, down{};
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    up[i] = 2 / gaps[std::min<std::size_t>(i + 1, 15)];
    down[i] = 2 / gaps[std::max<std::size_t>(i, 1)];
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = begin + i, code = (codes[column / 2] >> (column % 2 * 4)) & 15U;
    to.per_half_gap_up[i] = up[code];
    to.per_half_gap_down[i] = down[code];
  }
}

// Sums over values x (count) of the given scale. Levels of integers are 1 apart.
template <bool is_nf4>
QuantizationError piece_error(const float* x, std::size_t count, const Levels& levels,
                              double scale) {
  const double inverse = scale == 0 ? 0 : 1 / scale;
  double signal = 0, noise = 0;
  std::int64_t worst = 0;  // the bits of positive numbers, which have their order
#pragma omp simd reduction(+ : signal, noise) reduction(max : worst)
  for (std::size_t i = 0; i < count; ++i) {
    const double value = x[i], level = levels.level[i];
    const double error = value - scale * level;
    signal += value * value;
    noise += error * error;
    const double off = error * inverse;
    const double up = is_nf4 ? static_cast<double>(levels.per_half_gap_up[i]) : 2;
    const double down = is_nf4 ? static_cast<double>(levels.per_half_gap_down[i]) : 2;
    // Nothing nearer than the outer levels is left for what lies past them.
    const double most_up = level >= levels.high ? 1 : kInfinity;
    const double most_down = level <= levels.low ? 1 : kInfinity;
    const double above = off * up, below = -off * down;
    const double rounding =
        off > 0 ? (above < most_up ? above : most_up) : (below < most_down ? below : most_down);
    const std::int64_t bits = std::bit_cast<std::int64_t>(rounding) & kMagnitude;
    worst = bits > worst ? bits : worst;
  }
  QuantizationError result{signal, noise, static_cast<double>(count), std::bit_cast<double>(worst)};
  if (std::isnan(noise)) {
    result.rounding = noise;
  }
  return result;
}

// Zeros are right where the scale would have been subnormal, and nowhere else.
double rounding_to_zeros(CodeType type, const float* x, std::size_t count) {
  const double limit =
      std::numeric_limits<float>::min() * std::abs(static_cast<double>(outermost(type)));
  const bool are_small =
      std::all_of(x, x + count, [limit](float value) { return std::abs(value) < limit; });
  return are_small ? 0 : kInfinity;
}

QuantizationError row_error(const float* in, const QuantizedMatrix& quantized, std::size_t row) {
  const Scheme& scheme = quantized.scheme;
  const std::size_t columns = quantized.columns;
  const std::size_t group = scheme.group == 0 ? columns : scheme.group;
  const float* x = in + row * columns;
  const std::uint8_t* codes = quantized.codes + row * scheme.code_row_bytes(columns);
  const std::byte* scales = quantized.scales + row * scheme.scale_row_bytes(columns);
  const bool is_nf4 = scheme.type == CodeType::nf4;
  Levels levels;
  levels.high = is_nf4 ? 1 : (1 << (bits_of(scheme.type) - 1)) - 1;
  levels.low = is_nf4 ? -1 : (scheme.type == CodeType::int8 ? -127 : -levels.high - 1);
  QuantizationError sum;
  for (std::size_t begin = 0; begin < columns;) {
    const std::size_t group_end = std::min(columns, (begin / group + 1) * group);
    const std::size_t end = std::min(group_end, begin + kPiece);
    const double scale = scale_at(scheme, scales, begin / group);
    unpack_levels(scheme.type, codes, begin, end - begin, levels.level.data());
    if (is_nf4) {
      unpack_nf4(codes, begin, end - begin, levels);
    }
    QuantizationError piece = is_nf4 ? piece_error<true>(x + begin, end - begin, levels, scale)
                                     : piece_error<false>(x + begin, end - begin, levels, scale);
    if (scale == 0) {
      piece.rounding = larger(rounding_to_zeros(scheme.type, x + begin, end - begin),
                              std::isnan(piece.noise) ? piece.noise : 0);
    }
    sum += piece;
    begin = end;
  }
  return sum;
}

}  // namespace

QuantizationError& QuantizationError::operator+=(const QuantizationError& more) {
  signal += more.signal;
  noise += more.noise;
  values += more.values;
  rounding = larger(rounding, more.rounding);
  return *this;
}

double QuantizationError::signal_to_noise() const {
  return 10 * std::log10(signal / noise);
}

double QuantizationError::mean_squared_error() const {
  return values == 0 ? 0 : noise / values;
}

QuantizationError quantization_error(const float* in, const QuantizedMatrix& quantized) {
  std::array<QuantizationError, kParts> parts{};
#pragma omp parallel for schedule(static)
  for (std::size_t part = 0; part < kParts; ++part) {
    for (std::size_t row = quantized.rows * part / kParts;
         row < quantized.rows * (part + 1) / kParts; ++row) {
      parts[part] += row_error(in, quantized, row);
    }
  }
  QuantizationError sum;
  for (const QuantizationError& part : parts) {
    sum += part;
  }
  return sum;
}

}  // namespace perf::workloads
