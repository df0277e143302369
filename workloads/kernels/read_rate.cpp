#include "workloads/kernels/read_rate.h"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "workloads/kernels/lanes.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kLine = 64, kPage = 4096;
constexpr std::size_t kPageValues = kPage / sizeof(std::uint64_t);

// Integers, which a compiler may add up in any order, as many as a register holds: the additions
// cost nothing beside the loads. Of wider ones GCC 12 keeps the sums on the stack.
typedef std::uint64_t Lane __attribute__((vector_size(kLaneBytes), may_alias));
constexpr std::size_t kInLane = kLaneBytes / sizeof(std::uint64_t);
constexpr std::size_t kSums = 4, kStep = kSums * kLine / kLaneBytes;

// `count`: of whole pages.
std::uint64_t sum_of(const std::uint64_t* memory, std::size_t count) {
  const auto* lane = reinterpret_cast<const Lane*>(memory);
  Lane sums[kSums] = {};
  for (const Lane* end = lane + count / kInLane; lane < end; lane += kStep) {
    // One page ahead: some CPUs' own prefetchers stop at the end of each.
    const auto* ahead = reinterpret_cast<const std::byte*>(lane) + kPage;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kSums; ++i) {
      __builtin_prefetch(ahead + i * kLine);
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kStep; ++i) {
      sums[i % kSums] += lane[i];
    }
  }
  const Lane all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kInLane; ++i) {
    sum += all[i];
  }
  return sum;
}

}  // namespace

ReadRate::ReadRate(std::size_t bytes) : pages_((bytes + kPage - 1) / kPage) {
  if (pages_ == 0) {
    return;
  }
  const std::size_t count = pages_ * kPageValues;
  arena_ = std::make_unique<Arena>(Arena::room<std::uint64_t>(count));
  auto* own = arena_->take<std::uint64_t>(count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    own[i] = 1;
  }
  memory_ = own;
}

ReadRate::ReadRate(const void* memory, std::size_t bytes)
    : pages_(bytes / kPage), memory_(static_cast<const std::uint64_t*>(memory)) {}

std::size_t ReadRate::bytes() const {
  return pages_ * kPage;
}

double ReadRate::measure(int times) {
  if (pages_ == 0 || times < 1) {
    return 0;
  }
  std::uint64_t sum = 0;
  const auto start = std::chrono::steady_clock::now();
  // Each thread reads its own part again and again: the start of threads would take longer than to
  // read what lies in a core's own cache.
#pragma omp parallel reduction(+ : sum)
  {
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    const auto own = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t first = pages_ * own / team, end = pages_ * (own + 1) / team;
    for (int i = 0; i < times; ++i) {
      sum += sum_of(memory_ + first * kPageValues, (end - first) * kPageValues);
      asm volatile("" ::: "memory");  // lest one reading be taken for all
    }
  }
  const auto end = std::chrono::steady_clock::now();
  sum_ += sum;
  return static_cast<double>(times) * static_cast<double>(bytes()) /
         std::chrono::duration<double>(end - start).count();
}

double ReadRate::measure_cache() const {
  // 16 KiB, half of the smallest such cache; 4 MiB in all each time, 20 to 200 us.
  constexpr std::size_t kMostPages = 4, kReadings = 256;
  constexpr int kTries = 20;
  const std::size_t pages = std::min(pages_, kMostPages);
  double best = 0;
  for (int i = 0; i < kTries && pages > 0; ++i) {
    std::uint64_t sum = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t j = 0; j < kReadings; ++j) {
      sum += sum_of(memory_, pages * kPageValues);
      asm volatile("" ::: "memory");
    }
    const auto end = std::chrono::steady_clock::now();
    asm volatile("" ::"r"(sum));
    best = std::max(best, static_cast<double>(kReadings * pages * kPage) /
                              std::chrono::duration<double>(end - start).count());
  }
  return best * omp_get_max_threads();
}

}  // namespace perf::workloads
