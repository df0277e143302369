// A trend of a history that does not lie in memory whole wants room for its findings and commits,
// and none for its points.

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace {

std::atomic<std::size_t> in_use, most;

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  const std::size_t now = in_use += malloc_usable_size(memory);
  for (std::size_t known = most; now > known && !most.compare_exchange_weak(known, now);) {
  }
  return memory;
}

void operator delete(void* memory) noexcept {
  in_use -= malloc_usable_size(memory);
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

namespace perf {
namespace {

constexpr std::size_t kSeries = 200, kAtOnce = 4;

/// What a trend of so many points a series wants at most, bytes; every tenth series has a step.
std::size_t wanted(std::size_t points, bool keeps) {
  scripted::History frame = scripted::history_of(points);
  TrendInputs inputs = frame.inputs();
  inputs.keeps_points = keeps;
  inputs.replays = false;  // 3 MB, whatever there is
  std::size_t next = 0;
  inputs.more = [&next, points] {
    scripted::History some;
    for (std::size_t end = std::min(next + kAtOnce, kSeries); next < end; ++next) {
      std::vector<double> values = scripted::noisy(points, .01, next);
      scripted::add_series(some, "w" + std::to_string(1000 + next),
                           scripted::stepped(values, points / 2, next % 10 == 0 ? .1 : 0));
    }
    return SomeSeries{some.recorded.series, {}};
  };
  const std::size_t before = in_use;
  most = before;
  const TrendReport report = trend(inputs);
  EXPECT_EQ(report.series.size(), kSeries);
  EXPECT_GE(std::ranges::count_if(
                report.series, [](const TrendSeries& one) { return !one.change_points.empty(); }),
            20);
  return most - before;
}

TEST(TrendMemory, GrowsWithFindingsAndCommitsOnly) {
  const std::size_t few = wanted(250, false), many = wanted(1500, false);
  EXPECT_LT(many, few + 1250 * 1000) << few;  // 250 B a commit in each of the series at once
  EXPECT_GT(wanted(1500, true), kSeries * 1500 * 16) << "does this see memory at all?";
}

}  // namespace
}  // namespace perf
