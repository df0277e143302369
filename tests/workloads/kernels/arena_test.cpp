#include "workloads/kernels/arena.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace perf::workloads {
namespace {

TEST(Arena, GivesAlignedZeroedMemoryUpToItsSize) {
  Arena arena(Arena::room<float>(3) + Arena::room<std::int8_t>(65));
  auto* floats = arena.take<float>(3);
  auto* bytes = arena.take<std::int8_t>(65);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(floats) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 64, 0U);
  EXPECT_GE(reinterpret_cast<char*>(bytes), reinterpret_cast<char*>(floats + 3));
  for (int i = 0; i < 65; ++i) {
    EXPECT_EQ(bytes[i], 0);
  }
  EXPECT_EQ(arena.used(), 64U + 128U);
}

TEST(Arena, RefusesMoreThanItHas) {
  Arena arena(100);
  EXPECT_THROW(arena.take<float>(std::size_t{1} << 20), std::logic_error);
  EXPECT_NO_THROW(arena.take<float>(10));
}

}  // namespace
}  // namespace perf::workloads
