#include <algorithm>
#include <cstdint>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/few_rows_kernels.h"
#include "workloads/kernels/lanes.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace perf::workloads {

namespace {

// Rows of weights and rows of inputs that are multiplied at once: each pair has a register for its
// sums, and with those for the inputs and one row of weights they fit into what there are (32, and
// 16 below AVX-512). Of the inputs fewer fit into the first cache, and are read again for each
// tile: so four rows, though two times six would need fewer loads. With 2 times 4, 16 inputs
// took 1.15 times as long in AVX2.
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileInputs = kLaneBytes == 64 ? 6 : 3;
// One row of inputs: so many sums of every so many-th vector hide the latency of the additions.
constexpr std::size_t kChains = 4;

constexpr std::size_t kLine = 64;

// A row begins where the one before ends, so nothing is aligned to more than its type.
typedef float LooseLanes __attribute__((vector_size(kLaneBytes), may_alias, aligned(4)));

Lanes load(const float* values) {
  return *reinterpret_cast<const LooseLanes*>(values);
}

// Widened by name where that is one instruction: GCC 12 does it half by half, in five.
Lanes load(const Bf16* values) {
  typedef std::uint32_t Bits __attribute__((vector_size(kLaneBytes)));
#if defined(__AVX512F__)
  const auto wide = (Bits)_mm512_maskz_cvtepu16_epi32(
      0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)));
#elif defined(__AVX2__)
  const auto wide =
      (Bits)_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
#else
  typedef std::uint16_t Half
      __attribute__((vector_size(kLaneBytes / 2), may_alias, aligned(alignof(Bf16))));
  const Bits wide = __builtin_convertvector(*reinterpret_cast<const Half*>(values), Bits);
#endif
  return (Lanes)(wide << 16);
}

Lanes load(const Fp16* values) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_maskz_cvtph_ps(0xffff,
                                      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)));
#elif defined(__F16C__)
  return (Lanes)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
#else
  Lanes wide;
  for (std::size_t i = 0; i < kLanes; ++i) {
    wide[i] = widen(values[i]);
  }
  return wide;
#endif
}

// The first `count` of them, then zeros.
template <class T>
Lanes load_some(const T* values, std::size_t count) {
  T padded[kLanes] = {};
  std::copy_n(values, count, padded);
  return load(padded);
}

// GCC 12 would read a value that is used several times from memory each time, which costs half the
// speed of a tile.
void keep_in_register([[maybe_unused]] Lanes& value) {
#if defined(__x86_64__)
  asm("" : "+v"(value));
#endif
}

typedef float Four __attribute__((vector_size(16), may_alias, aligned(4)));

// The sum over the lanes of each.
Four sums_of(Lanes a, Lanes b, Lanes c, Lanes d) {
#if defined(__AVX__)
  const auto eight = [](Lanes values) {
#if defined(__AVX512F__)
    return (__m256)(__builtin_shufflevector(values, values, 0, 1, 2, 3, 4, 5, 6, 7) +
                    __builtin_shufflevector(values, values, 8, 9, 10, 11, 12, 13, 14, 15));
#else
    return (__m256)values;
#endif
  };
  const __m256 all = _mm256_hadd_ps(_mm256_hadd_ps(eight(a), eight(b)),  //
                                    _mm256_hadd_ps(eight(c), eight(d)));
  return _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
#else
  const auto sum = [](Lanes values) { return (values[0] + values[2]) + (values[1] + values[3]); };
  return Four{sum(a), sum(b), sum(c), sum(d)};
#endif
}
float sum_of(Lanes values) {
  return sums_of(values, values, values, values)[0];
}

void store(float sum, float beta, float* to) {
  *to = beta == 0 ? sum : sum + beta * *to;
}
void store(Four sums, float beta, float* to) {
  Four& four = *reinterpret_cast<Four*>(to);
  four = beta == 0 ? sums : sums + beta * four;
}

// w (columns) . x (columns)
template <class T>
float dot(const T* w, const float* x, std::size_t columns) {
  constexpr std::size_t kStep = kChains * kLanes;
  Lanes sums[kChains] = {};
  std::size_t k = 0;
  for (; k + kStep <= columns; k += kStep) {
    for (std::size_t i = 0; i < kStep; i += kLine / sizeof(T)) {
      fetch_ahead(w + k + i);
    }
    for (std::size_t i = 0; i < kChains; ++i) {
      sums[i] += load(w + k + i * kLanes) * load(x + k + i * kLanes);
    }
  }
  for (; k < columns; k += kLanes) {
    const std::size_t some = std::min(kLanes, columns - k);
    sums[0] += load_some(w + k, some) * load_some(x + k, some);
  }
  return sum_of((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

// What is fetched while a tile is multiplied, into the second cache, as it is too much for the
// first: from `next` on, a line for each row of the tile every so many columns.
struct Fetching {
  const std::byte* next;
  std::size_t columns;
};

// out (kInputs,stride) = in (kInputs,columns) w (kRows,columns)^T + beta out.
// Never inlined: where it is, GCC 12 keeps the sums in memory.
template <std::size_t kRows, std::size_t kInputs, class T>
[[gnu::noinline]] void multiply_tile(const T* w, const float* in, std::size_t columns,
                                     Fetching fetching, float beta, float* out,
                                     std::size_t stride) {
  Lanes sums[kRows][kInputs];
  for (std::size_t i = 0; i < kRows; ++i) {  // an initializer becomes a string instruction, slow
    for (std::size_t j = 0; j < kInputs; ++j) {
      sums[i][j] = Lanes{};
    }
  }
  const auto add = [&](auto load_lanes, std::size_t k) {
    Lanes x[kInputs];
    for (std::size_t j = 0; j < kInputs; ++j) {
      x[j] = load_lanes(in + j * columns + k);
      keep_in_register(x[j]);
    }
    for (std::size_t i = 0; i < kRows; ++i) {
      Lanes weights = load_lanes(w + i * columns + k);
      keep_in_register(weights);
      for (std::size_t j = 0; j < kInputs; ++j) {
        sums[i][j] += weights * x[j];
      }
    }
  };
  std::size_t k = 0, fetched = 0;
  for (; k + kLanes <= columns; k += kLanes) {
    if (k == fetched) {
      for (std::size_t i = 0; i < kRows; ++i) {
        __builtin_prefetch(fetching.next + i * kLine, 0, 2);
      }
      fetching.next += kRows * kLine;
      fetched += fetching.columns;
    }
    add([](const auto* values) { return load(values); }, k);
  }
  if (k < columns) {
    add([&](const auto* values) { return load_some(values, columns - k); }, k);
  }
  for (std::size_t j = 0; j < kInputs; ++j) {
    float* to = out + j * stride;
    if constexpr (kRows == 4) {
      store(sums_of(sums[0][j], sums[1][j], sums[2][j], sums[3][j]), beta, to);
    } else {
      static_assert(kRows == 1);
      store(sum_of(sums[0][j]), beta, to);
    }
  }
}

// A tile of `count` inputs, at most kInputs.
template <std::size_t kRows, std::size_t kInputs, class T, class... Rest>
void multiply_inputs(std::size_t count, const T* w, const float* in, Rest... rest) {
  if (count == kInputs) {
    multiply_tile<kRows, kInputs>(w, in, rest...);
  } else if constexpr (kInputs > 1) {
    multiply_inputs<kRows, kInputs - 1>(count, w, in, rest...);
  }
}

// All inputs, at most kTileInputs at a time, while the rows are in the cache. Each time a part of
// the next rows is fetched: were it all of them the first time, memory would be idle the other
// times.
template <std::size_t kRows, class T>
void multiply_rows(const FewRowsCall& call, const T* w, float* out) {
  constexpr std::size_t kLineColumns = kLine / sizeof(T);
  const std::size_t columns = call.weights.columns, stride = call.weights.rows;
  const std::size_t groups = (call.count + kTileInputs - 1) / kTileInputs;
  const std::size_t part = (columns / kLineColumns + groups) / groups * kRows * kLine;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t first = call.count * group / groups;
    const std::size_t end = call.count * (group + 1) / groups;
    const Fetching fetching{reinterpret_cast<const std::byte*>(w + kRows * columns) + group * part,
                            groups * kLineColumns};
    multiply_inputs<kRows, kTileInputs>(end - first, w, call.in + first * columns, columns,
                                        fetching, call.beta, out + first * stride, stride);
  }
}

template <class T>
void multiply(const FewRowsCall& call, std::size_t first, std::size_t rows) {
  const std::size_t columns = call.weights.columns;
  const T* w = reinterpret_cast<const T*>(call.weights.values) + first * columns;
  float* out = call.out + first;
  if (call.count == 1) {
    for (std::size_t i = 0; i < rows; ++i) {
      store(dot(w + i * columns, call.in, columns), call.beta, out + i);
    }
    return;
  }
  const std::size_t whole = rows / kTileRows * kTileRows;
  for (std::size_t i = 0; i < whole; i += kTileRows) {
    multiply_rows<kTileRows>(call, w + i * columns, out + i);
  }
  for (std::size_t i = whole; i < rows; ++i) {
    multiply_rows<1>(call, w + i * columns, out + i);
  }
}

}  // namespace

FewRowsKernel few_rows_floats(WeightType type) {
  switch (type) {
    case WeightType::bf16:
      return {.multiply = multiply<Bf16>};
    case WeightType::fp16:
      return {.multiply = multiply<Fp16>};
    default:
      return {.multiply = multiply<float>};
  }
}

}  // namespace perf::workloads
