#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// How one group of at most WeightMatrix::kGroup weights becomes a scale and small integers
/// (codes). With m the value of largest magnitude in the group:
///     int8   scale = |m| / 127   code = round(x / scale)                 -127 .. 127
///     int4   scale = m / -8      code = round(x / scale)                   -8 .. 7
///     nf4    scale = |m|         code = the nearest of kNf4Levels to x / scale, 0 .. 15
/// Ties of round() go to the even integer, ties between two levels to the lower one.
///
/// The scale of int4 has the sign that puts m on -8, the one level that has no opposite: for normal
/// values this leaves 1.05 dB less noise than -7 .. 7 does. Trying five scales around it for the
/// least error would gain 0.4 dB more, for five times the work.
///
/// Scales are rounded to Bf16 before codes are chosen. It is as short as Fp16 but has the range of
/// a float, so that small and huge weights keep their precision, and its 8 bits cost 0.1 dB at
/// int8, nothing at 4 bits. A group whose scale would be subnormal is stored as zeros. One that
/// holds an infinity or a NaN becomes NaN as a whole: the damage stays visible.

/// The levels of NormalFloat4, by code. Dettmers et al., "QLoRA: Efficient Finetuning of Quantized
/// LLMs" (arXiv:2305.14314), appendix E.
inline constexpr std::array<float, 16> kNf4Levels = {
    -1.0F,
    -0.6961928009986877F,
    -0.5250730514526367F,
    -0.39491748809814453F,
    -0.28444138169288635F,
    -0.18477343022823334F,
    -0.09105003625154495F,
    0.0F,
    0.07958029955625534F,
    0.16093020141124725F,
    0.24611230194568634F,
    0.33791524171829224F,
    0.44070982933044434F,
    0.5626170039176941F,
    0.7229568362236023F,
    1.0F,
};

/// What a four-bit code stands for before it is scaled. An int4 is stored in two's complement.
std::array<float, 16> four_bit_levels(WeightType type);

/// values (count), codes (kGroup): those from `count` on mean zero. Codes of four bits are in
/// 0 .. 15. type: int8, int4 or nf4.
Bf16 quantize_group(WeightType type, const float* values, std::size_t count, std::uint8_t* codes);

}  // namespace perf::workloads
