#include "workloads/kernels/quantize_run.h"

#include <algorithm>
#include <array>

#include "workloads/kernels/quantization_scale.h"
#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

namespace {

// Codes wait here, one to a byte, until there are enough to be packed by a loop.
constexpr std::size_t kPiece = 256;

// The value of largest magnitude with its sign; of two opposite ones the negative; any NaN or
// infinity comes before all numbers. The bits of a float, rotated so that the sign is the last of
// them, are in that order as integers.
float largest(const float* values, std::size_t count) {
  std::uint32_t key = 0;
#pragma omp simd reduction(max : key)
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    const std::uint32_t own = (bits << 1) | (bits >> 31);
    key = own > key ? own : key;
  }
  return std::bit_cast<float>((key >> 1) | (key << 31));
}

template <class Scale>
float store_scale(CodeType type, float m, std::byte* to) {
  const float most = outermost(type);
  const Scale scale = std::isfinite(m)
                          ? stored_scale<Scale>((is_signed(type) ? m : std::fabs(m)) / most, most)
                          : narrow<Scale>(std::numeric_limits<float>::quiet_NaN());
  std::memcpy(to, &scale, sizeof scale);
  return widen(scale);
}

// Adding 1.5 * 2^23 leaves the rounded integer in the low bits of the sum. Only the upper end needs
// a limit: no value is further than m, and m / scale is at most 1 + 2^-8 times what it should be,
// 127.496 for int8.
void round_to_integers(const float* values, std::size_t count, float inverse, float high,
                       std::uint8_t* codes) {
  constexpr float kRound = 12582912.0F;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float level = values[i] * inverse;
    const float limited = level < high ? level : high;
    codes[i] = static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(limited + kRound));
  }
}

void round_to_nf4(const float* values, std::size_t count, float inverse, std::uint8_t* codes) {
  std::fill_n(codes, count, std::uint8_t{0});
  for (std::size_t level = 1; level < kNf4Levels.size(); ++level) {
    const float border = (kNf4Levels[level - 1] + kNf4Levels[level]) / 2;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
      codes[i] = static_cast<std::uint8_t>(codes[i] + (values[i] * inverse > border ? 1 : 0));
    }
  }
}

void round_to_codes(CodeType type, const float* values, std::size_t count, float scale,
                    std::uint8_t* codes) {
  if (scale == 0 || std::isnan(scale)) {
    std::fill_n(codes, count, zero_code(type));
  } else if (type == CodeType::nf4) {
    round_to_nf4(values, count, 1 / scale, codes);
  } else {
    round_to_integers(values, count, 1 / scale,
                      std::fabs(outermost(type)) - (is_signed(type) ? 1 : 0), codes);
  }
}

// `count` codes, of which the low bits matter; those that fill up the last byte are zero.
void pack(CodeType type, std::uint8_t* bytes, std::size_t count, std::uint8_t* to) {
  if (bits_of(type) == 8) {
    std::copy_n(bytes, count, to);
    return;
  }
  const std::size_t in_byte = 8 / bits_of(type), packed = (count + in_byte - 1) / in_byte;
  std::fill(bytes + count, bytes + packed * in_byte, std::uint8_t{0});
  if (in_byte == 2) {  // NOLINT(bugprone-branch-clone): clang-tidy 14 does not look into omp loops
#pragma omp simd
    for (std::size_t i = 0; i < packed; ++i) {
      to[i] = static_cast<std::uint8_t>((bytes[2 * i] & 15U) | bytes[2 * i + 1] << 4);
    }
  } else {
#pragma omp simd
    for (std::size_t i = 0; i < packed; ++i) {
      to[i] = static_cast<std::uint8_t>((bytes[4 * i] & 3U) | (bytes[4 * i + 1] & 3U) << 2 |
                                        (bytes[4 * i + 2] & 3U) << 4 | bytes[4 * i + 3] << 6);
    }
  }
}

}  // namespace

void quantize_run_portable(const GroupRun& run) {
  std::array<std::uint8_t, kPiece> waiting;
  std::size_t waits = 0;
  std::uint8_t* codes = run.codes;
  std::byte* scales = run.scales;
  for (std::size_t begin = 0; begin < run.count; begin += run.group, scales += run.scale_bytes()) {
    const std::size_t end = std::min(run.count, begin + run.group);
    const float m = largest(run.in + begin, end - begin);
    const float scale = run.has_float_scales ? store_scale<float>(run.type, m, scales)
                                             : store_scale<Bf16>(run.type, m, scales);
    for (std::size_t i = begin; i < end;) {
      const std::size_t count = std::min(end - i, kPiece - waits);
      round_to_codes(run.type, run.in + i, count, scale, waiting.data() + waits);
      i += count;
      waits += count;
      if (waits == kPiece) {
        pack(run.type, waiting.data(), kPiece, codes);
        codes += kPiece * bits_of(run.type) / 8;
        waits = 0;
      }
    }
  }
  pack(run.type, waiting.data(), waits, codes);
}

}  // namespace perf::workloads
