// In registers of AVX-512 or AVX2: the largest values of as many groups as a register has lanes are
// found at once, their scales are made in one register, and codes are stored past the caches, a
// register full of them at a time, so that memory that is only written is not read first.
#include <algorithm>

#include "workloads/kernels/quantize_run.h"

#if (defined(__AVX512BW__) && defined(__AVX512DQ__)) || defined(__AVX2__)
#define PERF_WORKLOADS_QUANTIZE_IN_REGISTERS
#include <array>

#include "workloads/kernels/quantization_scale.h"
#include "workloads/kernels/quantize_lines.h"
#endif

namespace perf::workloads {

namespace {
constexpr std::size_t kMostGroups = 16;  // a lane of AVX-512 for each
}

#if defined(PERF_WORKLOADS_QUANTIZE_IN_REGISTERS)

namespace {

constexpr std::size_t kPage = 4096, kCacheLine = 64;

// The order of quantize_run.cpp's largest(), in each lane. Fetches what comes a page later: some
// CPUs' own prefetchers stop at the end of each.
template <bool with_sign>
Ints largest_keys(const float* values, std::size_t count) {
  LargestKeys<with_sign> sets[kUnit / kLanes];
  for (std::size_t i = 0; i < count; i += kUnit) {
    const auto* ahead = reinterpret_cast<const char*>(values + i) + kPage;
    _mm_prefetch(ahead, _MM_HINT_T0);
    _mm_prefetch(ahead + kCacheLine, _MM_HINT_T0);
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kUnit / kLanes; ++j) {
      sets[j].take(load_bits(values + i + j * kLanes));
    }
  }
#pragma GCC unroll 4
  for (std::size_t j = 1; j < kUnit / kLanes; ++j) {
    sets[0].take(sets[j]);
  }
  return sets[0].keys();
}

// stored_scale() of a register of groups, all of them finite, stored for the first `count`.
template <CodeType type, bool is_float>
Floats store_scales(Ints keys, std::size_t count, std::byte* to) {
  constexpr float kMost = outermost(type);
  const Floats m = float_of(keys);
  Ints bits = as_bits(normal_or_zero(m / same(kMost)));
  if constexpr (!is_float) {
    bits = rounded_to_bf16(bits);
  }
  bits = less_where_infinite(bits, as_floats(bits) * same(kMost), is_float ? 1 : 0x10000);
  is_float ? store_words(to, count, bits) : store_upper_halves(to, count, bits);
  return as_floats(bits);
}

// inverses: of each unit, and zeros for a line's units past the end.
template <CodeType type>
void store_codes(const float* in, std::size_t count, const float* inverses, std::uint8_t* codes) {
  constexpr std::size_t kValues = kLineValues<type>;
  const FloatTable borders(kNf4Cells.borders.data());
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(codes) % kLaneBytes == 0;
  std::size_t i = 0;
  for (; i + kValues <= count; i += kValues, codes += kLaneBytes) {
    const Ints line = line_of<type>(in + i, inverses + i / kUnit, borders);
    is_aligned ? stream_codes(codes, line) : store_codes_to(codes, line);
  }
  if (i == count) {
    return;
  }
  alignas(kLaneBytes) std::array<float, kValues> rest{};
  alignas(kLaneBytes) std::array<std::uint8_t, kLaneBytes> line;
  std::copy(in + i, in + count, rest.begin());
  store_codes_to(line.data(), line_of<type>(rest.data(), inverses + i / kUnit, borders));
  std::copy_n(line.begin(), (count - i) * kLaneBytes / kValues, codes);
}

constexpr std::size_t kUnitsAtOnce = 128, kUnitsAfter = 8;  // 4096 values; a line of int2
constexpr std::size_t kValuesAtOnce = kUnitsAtOnce * kUnit;

using UnitInverses = std::array<float, kUnitsAtOnce + kUnitsAfter>;

constexpr std::size_t kRegisters = kMostGroups / kLanes;

// Of `count` groups, and zeros after them, to those of units; of as much of a longer group as fits.
// fixed_units: of a group, where it is known: 1, 2 or 4; else 0.
template <std::size_t fixed_units>
void spread(const Floats (&inverses)[kRegisters], std::size_t count, std::size_t group,
            UnitInverses& to) {
  if constexpr (fixed_units != 0) {
    for (std::size_t i = 0; i < kRegisters; ++i) {
      spread_lanes<fixed_units>(inverses[i], to.data() + i * fixed_units * kLanes);
    }
    return;
  }
  const std::size_t units = std::min(group / kUnit, kUnitsAtOnce);
  alignas(kLaneBytes) std::array<float, kMostGroups> of_groups;
  for (std::size_t i = 0; i < kRegisters; ++i) {
    store_floats(of_groups.data() + i * kLanes, inverses[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::fill_n(to.data() + i * units, units, of_groups[i]);
  }
  std::fill_n(to.data() + count * units, kUnitsAfter, 0.0F);
}

// `count` groups at once, or, if `full`, kMostGroups, a number that loops can be unrolled to;
// false, and nothing of use is stored, if a value is not finite.
template <CodeType type, bool is_float, std::size_t fixed_units, bool full>
bool quantize_groups(const GroupRun& run, std::size_t first, std::size_t some) {
  const std::size_t count = full ? kMostGroups : some;
  const std::size_t group = fixed_units == 0 ? run.group : fixed_units * kUnit;
  const float* in = run.in + first * group;
  Ints largest[kRegisters];
  const auto lanes_of = [&](std::size_t i) {
    return std::min(kLanes, count - std::min(count, i * kLanes));
  };
  for (std::size_t i = 0; i < kRegisters; ++i) {
    Ints keys[kLanes] = {};
    for (std::size_t lane = 0; lane < lanes_of(i); ++lane) {
      keys[lane] = largest_keys<is_signed(type)>(in + (i * kLanes + lane) * group, group);
    }
    largest[i] = largest_of_each(keys);
  }
  Floats inverses[kRegisters];
  std::byte* scales = run.scales + first * run.scale_bytes();
  for (std::size_t i = 0; i < kRegisters; ++i) {
    if (any_reaches(largest[i], 0xff000000U)) {  // an infinity, or a NaN
      return false;
    }
    inverses[i] = inverses_of(store_scales<type, is_float>(largest[i], lanes_of(i), scales));
    scales += lanes_of(i) * run.scale_bytes();
  }
  alignas(kLaneBytes) UnitInverses of_units;
  spread<fixed_units>(inverses, count, group, of_units);
  std::uint8_t* codes = run.codes + first * group * kBits<type> / 8;
  const std::size_t values = count * group;
  for (std::size_t i = 0; i < values; i += kValuesAtOnce) {
    store_codes<type>(in + i, std::min(kValuesAtOnce, values - i), of_units.data(),
                      codes + i * kBits<type> / 8);
  }
  return true;
}

template <CodeType type, bool is_float, std::size_t fixed_units = 0>
void quantize_all(const GroupRun& run) {
  const std::size_t groups = run.count / run.group, step = groups_at_once(run.group);
  const auto quantize_some = [&](std::size_t first, std::size_t count) {
    if (fixed_units != 0 && count == kMostGroups
            ? quantize_groups<type, is_float, fixed_units, fixed_units != 0>(run, first, count)
            : quantize_groups<type, is_float, fixed_units, false>(run, first, count)) {
      return;
    }
    GroupRun spoiled = run;
    spoiled.in += first * run.group;
    spoiled.count = count * run.group;
    spoiled.codes += first * run.group * kBits<type> / 8;
    spoiled.scales += first * run.scale_bytes();
    quantize_run_portable(spoiled);
  };
  std::size_t first = 0;
  for (; first + step <= groups; first += step) {
    quantize_some(first, step);
  }
  if (first < groups) {
    quantize_some(first, groups - first);
  }
  _mm_sfence();  // what was stored past the caches is there when the threads meet
}

template <CodeType type>
void quantize_all_of(const GroupRun& run) {
  if (run.has_float_scales) {
    return quantize_all<type, true>(run);
  }
  switch (run.group / kUnit) {
    case 1:
      return quantize_all<type, false, 1>(run);
    case 2:
      return quantize_all<type, false, 2>(run);
    case 4:
      return quantize_all<type, false, 4>(run);
    default:
      return quantize_all<type, false>(run);
  }
}

}  // namespace

void quantize_run(const GroupRun& run) {
  if (run.group % kUnit != 0 || run.count % run.group != 0) {
    return quantize_run_portable(run);
  }
  switch (run.type) {
    case CodeType::int8:
      return quantize_all_of<CodeType::int8>(run);
    case CodeType::int4:
      return quantize_all_of<CodeType::int4>(run);
    case CodeType::int2:
      return quantize_all_of<CodeType::int2>(run);
    case CodeType::nf4:
      return quantize_all_of<CodeType::nf4>(run);
  }
}

#else

void quantize_run(const GroupRun& run) {
  quantize_run_portable(run);
}

#endif

std::size_t groups_at_once(std::size_t group) {
  constexpr std::size_t kValues = 4096;
  return std::clamp<std::size_t>(kValues / group, 1, kMostGroups);
}

}  // namespace perf::workloads
