#include "workloads/kernels/largest_logits.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

namespace perf::workloads {

namespace {

constexpr std::size_t kChunk = 2048;         // what a thread takes at once
constexpr std::size_t kGroups = 16;          // of a chunk: values i, i + 16, ...
constexpr std::size_t kManyLogits = 40'000;  // fewer are not worth waking other threads for
constexpr std::size_t kBlock = 64;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Returns whether any is NaN. The groups are interleaved so that no register is ever reduced.
bool scan_chunk(const float* values, std::size_t count, float* groups) {
  float largest[kGroups];
  std::uint32_t nans[kGroups] = {};
  std::fill(largest, largest + kGroups, -kInfinity);
  std::size_t i = 0;
  for (; i + kGroups <= count; i += kGroups) {
#pragma omp simd
    for (std::size_t j = 0; j < kGroups; ++j) {
      const float value = values[i + j];
      largest[j] = value > largest[j] ? value : largest[j];
      nans[j] |= value == value ? 0U : 1U;
    }
  }
  for (; i < count; ++i) {
    const std::size_t j = i % kGroups;
    largest[j] = values[i] > largest[j] ? values[i] : largest[j];
    nans[j] |= values[i] == values[i] ? 0U : 1U;
  }
  std::copy(largest, largest + kGroups, groups);
  return std::any_of(nans, nans + kGroups, [](std::uint32_t nan) { return nan != 0; });
}

// Whether any reaches the bound: most blocks have none, and are left at once.
bool any_reaches(const float* values, std::size_t count, float bound) {
  std::uint32_t any = 0;
#pragma omp simd reduction(| : any)
  for (std::size_t i = 0; i < count; ++i) {
    any |= values[i] >= bound ? 1U : 0U;
  }
  return any != 0;
}

}  // namespace

LargestLogits::LargestLogits(std::size_t count, bool with_candidates, Ledger& memory)
    : count_(count),
      chunks_((count + kChunk - 1) / kChunk),
      groups_(memory.take<float>(Purpose::workspace, chunks_ * kGroups)) {
  if (!with_candidates) {
    return;
  }
  ordered_ = memory.take<float>(Purpose::workspace, std::max(chunks_ * kGroups, kMostCandidates));
  candidates_ = memory.take<Candidate>(Purpose::workspace, kMostCandidates);
}

void LargestLogits::scan(const float* logits) {
  logits_ = logits;
  bool has_nan = false;
#pragma omp parallel for schedule(static) reduction(|| : has_nan) if (count_ > kManyLogits)
  for (std::size_t c = 0; c < chunks_; ++c) {
    const std::size_t begin = c * kChunk;
    if (scan_chunk(logits + begin, std::min(kChunk, count_ - begin), groups_ + c * kGroups)) {
      has_nan = true;
    }
  }
  has_nan_ = has_nan;
  largest_ = *std::max_element(groups_, groups_ + chunks_ * kGroups);
}

std::size_t LargestLogits::first_largest() const {
  const std::size_t group =
      static_cast<std::size_t>(std::find(groups_, groups_ + chunks_ * kGroups, largest_) - groups_);
  const float* begin = logits_ + group / kGroups * kChunk;
  return static_cast<std::size_t>(std::find(begin, logits_ + count_, largest_) - logits_);
}

// Appends those of a chunk; false where there is no room for all of them.
bool LargestLogits::gather(std::size_t chunk, float bound, std::size_t& found) {
  const std::size_t end = std::min((chunk + 1) * kChunk, count_);
  for (std::size_t begin = chunk * kChunk; begin < end; begin += kBlock) {
    const std::size_t block_end = std::min(begin + kBlock, end);
    if (!any_reaches(logits_ + begin, block_end - begin, bound)) {
      continue;
    }
    for (std::size_t i = begin; i < block_end; ++i) {
      if (!(logits_[i] >= bound)) {
        continue;
      }
      if (found == kMostCandidates) {
        return false;
      }
      candidates_[found++] = {static_cast<std::uint32_t>(i), logits_[i]};
    }
  }
  return true;
}

const LargestLogits::Candidate* LargestLogits::candidates(std::size_t k, std::size_t& found) {
  const std::size_t groups = chunks_ * kGroups;
  if (2 * k > groups) {
    return nullptr;
  }
  const auto kth_largest = [&](std::size_t count) {
    const auto kth = ordered_ + k - 1;
    std::nth_element(ordered_, kth, ordered_ + count, std::greater<>());
    return *kth;
  };
  std::copy(groups_, groups_ + groups, ordered_);
  const float bound = kth_largest(groups);
  found = 0;
  for (std::size_t c = 0; c < chunks_; ++c) {
    if (any_reaches(groups_ + c * kGroups, kGroups, bound) && !gather(c, bound, found)) {
      return nullptr;
    }
  }
  for (std::size_t i = 0; i < found; ++i) {
    ordered_[i] = candidates_[i].logit;
  }
  const float border = kth_largest(found);
  const auto end = std::remove_if(candidates_, candidates_ + found,
                                  [border](const Candidate& one) { return one.logit < border; });
  found = static_cast<std::size_t>(end - candidates_);
  return candidates_;
}

}  // namespace perf::workloads
