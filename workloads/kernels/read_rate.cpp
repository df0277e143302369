#include "workloads/kernels/read_rate.h"

#include <omp.h>

#include <chrono>

namespace perf::workloads {

namespace {

constexpr std::size_t kLine = 64, kPage = 4096;
constexpr std::size_t kLineValues = kLine / sizeof(std::uint64_t);
constexpr std::size_t kPageValues = kPage / sizeof(std::uint64_t);

// Integers, which a compiler may add up in any order, as many as a line holds: the additions cost
// nothing beside the loads.
typedef std::uint64_t Line __attribute__((vector_size(kLine), may_alias));

// `count`: of whole pages.
std::uint64_t sum_of(const std::uint64_t* memory, std::size_t count) {
  const auto* line = reinterpret_cast<const Line*>(memory);
  Line a{}, b{}, c{}, d{};
  for (const Line* end = line + count / kLineValues; line < end; line += 4) {
    // One page ahead: some CPUs' own prefetchers stop at the end of each.
    for (std::size_t i = 0; i < 4; ++i) {
      __builtin_prefetch(reinterpret_cast<const std::byte*>(line + i) + kPage);
    }
    a += line[0];
    b += line[1];
    c += line[2];
    d += line[3];
  }
  const Line sums = (a + b) + (c + d);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kLineValues; ++i) {
    sum += sums[i];
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

}  // namespace perf::workloads
