#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/quantize.h"
#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

namespace {

// m: the value of largest magnitude, of two opposite ones the negative.
double ideal_scale(CodeType type, double m) {
  switch (type) {
    case CodeType::int8:
      return std::abs(m) / 127;
    case CodeType::int4:
      return m / -8;
    case CodeType::int2:
      return m / -2;
    case CodeType::nf4:
      break;
  }
  return std::abs(m);
}

// As stored: of those floats or Bf16s by which m does not become infinite, the nearest.
template <class Scale>
double store_scale(CodeType type, double m, std::byte* to) {
  const double ideal = ideal_scale(type, m);
  const double limit = std::numeric_limits<float>::max();
  Scale scale{};
  if (!std::isfinite(m)) {
    scale = narrow<Scale>(std::numeric_limits<float>::quiet_NaN());
  } else if (std::abs(ideal) >= std::numeric_limits<float>::min()) {
    scale = narrow<Scale>(static_cast<float>(ideal));
  }
  const double steps = ideal == 0 ? 0 : std::round(std::abs(m / ideal));
  for (double smaller = ideal; std::abs(widen(scale) * steps) > limit;) {
    smaller *= 1 - 0x1p-25;
    scale = narrow<Scale>(static_cast<float>(smaller));
  }
  std::memcpy(to, &scale, sizeof scale);
  return widen(scale);
}

int nearest_code(CodeType type, double x, double scale) {
  const bool is_number = scale != 0 && !std::isnan(scale);
  if (type == CodeType::nf4) {
    int nearest = is_number ? 0 : 7;
    for (int code = 1; is_number && code < 16; ++code) {
      if (std::abs(x / scale - kNf4Levels[code]) < std::abs(x / scale - kNf4Levels[nearest])) {
        nearest = code;
      }
    }
    return nearest;
  }
  const int half = 1 << (bits_of(type) - 1);  // 128, 8, 2
  const double low = type == CodeType::int8 ? -127 : -half, high = half - 1;
  return is_number ? static_cast<int>(std::clamp(std::nearbyint(x / scale), low, high)) : 0;
}

}  // namespace

void quantize_reference(const float* in, const QuantizedMatrix& to) {
  const CodeType type = to.scheme.type;
  const std::size_t bits = bits_of(type);
  const std::size_t group = to.scheme.group == 0 ? to.columns : to.scheme.group;
  std::fill_n(to.codes, to.code_bytes(), std::uint8_t{0});
  for (std::size_t row = 0; row < to.rows; ++row) {
    const float* x = in + row * to.columns;
    std::uint8_t* codes = to.codes + row * to.scheme.code_row_bytes(to.columns);
    std::byte* scales = to.scales + row * to.scheme.scale_row_bytes(to.columns);
    for (std::size_t begin = 0; begin < to.columns; begin += group) {
      const std::size_t end = std::min(to.columns, begin + group);
      double m = 0;
      for (std::size_t i = begin; i < end && !std::isnan(m); ++i) {
        if (std::isnan(x[i]) || std::abs(x[i]) > std::abs(m) || (x[i] < 0 && x[i] == -m)) {
          m = x[i];
        }
      }
      std::byte* own = scales + begin / group * to.scheme.scale_bytes();
      const double scale =
          to.scheme.group == 0 ? store_scale<float>(type, m, own) : store_scale<Bf16>(type, m, own);
      for (std::size_t i = begin; i < end; ++i) {
        const unsigned code = static_cast<unsigned>(nearest_code(type, x[i], scale));
        const unsigned low_bits = code & ((1U << bits) - 1);
        codes[i * bits / 8] |= static_cast<std::uint8_t>(low_bits << (i * bits % 8));
      }
    }
  }
}

}  // namespace perf::workloads
