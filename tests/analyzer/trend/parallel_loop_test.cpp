#include <gtest/gtest.h>

#include <stdexcept>

#include "analyzer/trend/internal.h"

namespace perf {
namespace {

TEST(ParallelLoop, CallsEveryIndexOnce) {
  std::vector<int> calls(1000);
  for_each_index(calls.size(), [&](std::size_t i) { ++calls[i]; });
  EXPECT_EQ(calls, std::vector<int>(1000, 1));
  for_each_index(0, [](std::size_t) { FAIL(); });
}

TEST(ParallelLoop, ThrowsTheFirstError) {
  std::vector<int> calls(100);
  try {
    for_each_index(calls.size(), [&](std::size_t i) {
      ++calls[i];
      if (i % 10 == 7) {
        throw std::runtime_error(std::to_string(i));
      }
    });
    FAIL();
  } catch (const std::runtime_error& thrown) {
    EXPECT_STREQ(thrown.what(), "7");
  }
  EXPECT_EQ(calls, std::vector<int>(100, 1));
}

}  // namespace
}  // namespace perf
