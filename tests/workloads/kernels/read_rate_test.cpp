#include "workloads/kernels/read_rate.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <chrono>
#include <iterator>

namespace perf::workloads {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

TEST(ReadRate, NothingToReadIsZero) {
  ReadRate rate(0);
  EXPECT_EQ(rate.measure(), 0);
  EXPECT_EQ(rate.sum(), 0);
}

TEST(ReadRate, ReadsAllOfItEachTime) {
  const int threads = omp_get_max_threads();
  for (const int several : {1, 2, 3, 5}) {
    omp_set_num_threads(several);
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{5000}, kMegabyte + 4097}) {
      ReadRate rate(bytes);
      const std::uint64_t values = rate.bytes() / sizeof(std::uint64_t);
      EXPECT_GE(rate.bytes(), bytes);
      EXPECT_LT(rate.bytes(), bytes + 4096);
      rate.measure(1);
      EXPECT_EQ(rate.sum(), values) << several << " threads, " << bytes << " bytes";
      rate.measure(3);
      EXPECT_EQ(rate.sum(), 4 * values) << several << " threads, " << bytes << " bytes";
    }
  }
  omp_set_num_threads(threads);
}

TEST(ReadRate, ReadsWholePagesOfTheCallersMemory) {
  alignas(64) static std::uint64_t memory[3 * 512 + 5];
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < std::size(memory); ++i) {
    memory[i] = i * i;
    expected += i < 3 * 512 ? i * i : 0;
  }
  ReadRate rate(memory, sizeof memory);
  EXPECT_EQ(rate.bytes(), 3 * 4096);
  EXPECT_EQ(rate.own_bytes(), 0);
  EXPECT_GT(rate.measure(1), 0);
  EXPECT_EQ(rate.sum(), expected);
}

// The rate is bytes by time: it cannot be more than what the whole call allows for.
TEST(ReadRate, IsAtMostThatOfTheCall) {
  ReadRate rate(16 * kMegabyte);
  rate.measure(1);
  const auto start = std::chrono::steady_clock::now();
  const double measured = rate.measure(1);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(measured, static_cast<double>(rate.bytes()) / seconds);
  EXPECT_LT(measured, 1e13);
}

// The yardstick's own loop must not be what it measures: in a cache, and against 64 MiB.
TEST(ReadRate, ACacheIsReadClearlyFasterThanMemory) {
  ReadRate nothing(0);
  EXPECT_EQ(nothing.measure_cache(), 0);
  ReadRate rate(64 * kMegabyte);
  const double cache = rate.measure_cache();
  EXPECT_GT(cache, 1.25 * rate.measure());
  EXPECT_LT(cache, 1e14);
}

}  // namespace
}  // namespace perf::workloads
