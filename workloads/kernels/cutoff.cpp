#include "workloads/kernels/cutoff.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>

#include "workloads/kernels/keep_between.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kChunk = 2048;         // of floats: what a thread takes at once, half of L1
constexpr std::size_t kLast = 256;           // so few are sorted
constexpr std::size_t kManyInside = 40'000;  // fewer are not worth waking other threads for

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// What of a chunk reaches each of four rungs. Four sums at once hide the latency of an addition.
template <bool kByValue>
void add_up_four(const float* values, std::size_t count, const float* rungs, float* sums) {
  const float r0 = rungs[0], r1 = rungs[1], r2 = rungs[2], r3 = rungs[3];
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (std::size_t i = 0; i < count; ++i) {
    const float value = values[i], worth = kByValue ? value : 1.0F;
    s0 += value >= r0 ? worth : 0.0F;
    s1 += value >= r1 ? worth : 0.0F;
    s2 += value >= r2 ? worth : 0.0F;
    s3 += value >= r3 ? worth : 0.0F;
  }
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

}  // namespace

// Values in [low,high) are inside; the cutoff is the largest of them, or of `low` and up, that is
// worth enough together with `above`.
struct Cutoff::Interval {
  std::uint32_t low = 0, high = 0;  // bits
  double above = 0;                 // the worth of what reaches `high`
  std::size_t inside = 0;
  const float* values = nullptr;  // of each chunk, at its begin
};

Cutoff::Cutoff(std::size_t count, Ledger& memory)
    : count_(count),
      chunks_((count + kChunk - 1) / kChunk),
      inside_(memory.take<float>(Purpose::workspace, count)),
      sizes_(memory.take<std::size_t>(Purpose::workspace, chunks_)),
      sums_(memory.take<float>(Purpose::workspace, chunks_ * kRungs)) {}

float Cutoff::find(const float* values, Worth worth, double wanted, float least) {
  Interval interval{
      .low = bits(least), .high = bits(1.0F) + 1, .above = 0, .inside = count_, .values = values};
  for (std::size_t c = 0; c < chunks_; ++c) {
    sizes_[c] = std::min(kChunk, count_ - c * kChunk);
  }
  // Of a vocabulary's probabilities few reach what a value must: the others would cost as much in
  // each round as these.
  if (worth == Worth::value && count_ > kLast) {
    copy_together(interval);
  }
  while (interval.inside > kLast && interval.high - interval.low > 1) {
    narrow(interval, worth, wanted);
    copy_together(interval);
  }
  return among_the_last(interval, worth, wanted);
}

void Cutoff::narrow(Interval& interval, Worth worth, double wanted) {
  Ladder rungs;
  const std::uint64_t width = interval.high - interval.low;
  const auto rung = [&](std::size_t i) {
    return interval.low + static_cast<std::uint32_t>(width * (i + 1) / (kRungs + 1));
  };
  for (std::size_t i = 0; i < kRungs; ++i) {
    rungs[i] = std::bit_cast<float>(rung(i));
  }
  const auto add_up = worth == Worth::value ? add_up_four<true> : add_up_four<false>;
#pragma omp parallel for schedule(static) if (interval.inside > kManyInside)
  for (std::size_t c = 0; c < chunks_; ++c) {
    for (std::size_t i = 0; i < kRungs; i += 4) {
      add_up(interval.values + c * kChunk, sizes_[c], &rungs[i], sums_ + c * kRungs + i);
    }
  }
  std::array<double, kRungs> reaching;
  reaching.fill(interval.above);
  for (std::size_t c = 0; c < chunks_; ++c) {
    for (std::size_t i = 0; i < kRungs; ++i) {
      reaching[i] += sums_[c * kRungs + i];
    }
  }

  std::size_t enough = kRungs;  // rungs 0 .. enough - 1 leave enough
  while (enough > 0 && reaching[enough - 1] < wanted) {
    --enough;
  }
  const std::uint32_t low = enough > 0 ? rung(enough - 1) : interval.low;
  if (enough < kRungs) {
    interval.high = rung(enough);
    interval.above = reaching[enough];
  }
  interval.low = low;
}

// Equal values, or such as lie close, would be copied round after round: the interval ends where
// they end.
void Cutoff::copy_together(Interval& interval) {
  std::uint32_t smallest = interval.high, largest = interval.low;
  std::size_t inside = 0;
#pragma omp parallel for schedule(static) reduction(min : smallest) reduction(max : largest) \
    reduction(+ : inside) if (interval.inside > kManyInside)
  for (std::size_t c = 0; c < chunks_; ++c) {
    float* kept = inside_ + c * kChunk;
    sizes_[c] =
        keep_between(interval.values + c * kChunk, sizes_[c], std::bit_cast<float>(interval.low),
                     std::bit_cast<float>(interval.high), kept);
    inside += sizes_[c];
#pragma omp simd reduction(min : smallest) reduction(max : largest)
    for (std::size_t i = 0; i < sizes_[c]; ++i) {
      const std::uint32_t value = bits(kept[i]);
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  }
  interval.values = inside_;
  interval.inside = inside;
  if (inside > 0) {
    interval.low = smallest;
    interval.high = largest + 1;
  }
}

float Cutoff::among_the_last(const Interval& interval, Worth worth, double wanted) const {
  if (interval.inside > kLast)  // all equal
  {
    return std::bit_cast<float>(interval.low);
  }
  std::array<float, kLast> last;
  std::size_t size = 0;
  for (std::size_t c = 0; c < chunks_; ++c) {
    for (std::size_t i = 0; i < sizes_[c]; ++i) {
      last[size++] = interval.values[c * kChunk + i];
    }
  }
  std::sort(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(size), std::greater<>());
  double total = interval.above;
  for (std::size_t i = 0; i < size; ++i) {
    total += worth == Worth::value ? last[i] : 1;
    if (total >= wanted) {
      return last[i];
    }
  }
  // Rounding of the sums has kept the last few short of what was wanted.
  return size > 0 ? last[size - 1] : std::bit_cast<float>(interval.low);
}

}  // namespace perf::workloads
