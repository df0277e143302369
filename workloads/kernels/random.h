#pragma once

#include <cstddef>
#include <cstdint>

namespace perf::workloads {

/// Random numbers by position: value i of a seed is a pure function of both, so that threads fill
/// an array in any order, vectorised, and get the same numbers whatever their count.
/// The mix is Chris Wellons's "lowbias32" (https://nullprogram.com/blog/2018/07/31/).
constexpr std::uint32_t random_bits(std::uint32_t seed, std::uint32_t index) {
  std::uint32_t x = index ^ (seed * 0x9e3779b9U);
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

/// In [0, 1).
constexpr float random_unit(std::uint32_t seed, std::uint32_t index) {
  return static_cast<float>(random_bits(seed, index) >> 8) * 0x1p-24F;
}

/// An own seed for each of many arrays.
constexpr std::uint32_t derived_seed(std::uint64_t seed, std::uint32_t stream) {
  return random_bits(
      random_bits(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)),
      stream + 1);
}

/// Uniform in [-bound, bound).
void fill_uniform(float* values, std::size_t count, std::uint32_t seed, float bound);

/// Nearly normal with mean 0 (the sum of four uniforms), as trained weights are.
void fill_normal(float* values, std::size_t count, std::uint32_t seed, float deviation);

/// Values first .. first + count of what fill_normal gives, by the calling thread alone.
void fill_normal_part(float* values, std::size_t first, std::size_t count, std::uint32_t seed,
                      float deviation);

}  // namespace perf::workloads
