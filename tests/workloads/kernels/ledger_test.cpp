#include "workloads/kernels/ledger.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

namespace perf::workloads {
namespace {

// As a model takes its memory: the same code counts first and takes afterwards.
struct Part {
  float* weights;
  std::int8_t* codes;
  double* scratch;

  explicit Part(Ledger& memory)
      : weights(memory.take<float>(Purpose::weights, 1001)),
        codes(memory.take<std::int8_t>(Purpose::weights, 65)),
        scratch(memory.take<double>(Purpose::workspace, 3)) {}
};

TEST(Ledger, CountsWithoutMemoryThenHoldsAsMuch) {
  Ledger counted;
  EXPECT_TRUE(counted.counting());
  const Part nothing(counted);
  EXPECT_EQ(nothing.weights, nullptr);
  EXPECT_EQ(nothing.codes, nullptr);
  EXPECT_EQ(nothing.scratch, nullptr);

  Ledger memory(counted);
  EXPECT_FALSE(memory.counting());
  EXPECT_EQ(memory.total(), 0U);
  const Part part(memory);
  for (std::size_t i = 0; i < 1001; ++i) {
    ASSERT_EQ(part.weights[i], 0.0F);
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.codes) % 64, 0U);
  EXPECT_GE(reinterpret_cast<char*>(part.codes), reinterpret_cast<char*>(part.weights + 1001));
  for (std::size_t i = 0; i < kPurposeNames.size(); ++i) {
    EXPECT_EQ(memory.bytes(static_cast<Purpose>(i)), counted.bytes(static_cast<Purpose>(i))) << i;
  }
}

TEST(Ledger, CountsByPurposeInWholeCacheLines) {
  Ledger counted;
  const Part part(counted);
  EXPECT_EQ(counted.bytes(Purpose::weights), 4032U + 128U);
  EXPECT_EQ(counted.bytes(Purpose::workspace), 64U);
  EXPECT_EQ(counted.bytes(Purpose::gradients), 0U);
  EXPECT_EQ(counted.total(), 4032U + 128U + 64U);
}

TEST(Ledger, RefusesOneByteMoreThanWasCounted) {
  Ledger counted;
  counted.take<float>(Purpose::weights, 16);
  counted.take<float>(Purpose::gradients, 16);
  Ledger memory(counted);
  memory.take<float>(Purpose::weights, 16);
  EXPECT_THROW(memory.take<std::int8_t>(Purpose::weights, 1), std::logic_error);
  EXPECT_THROW(memory.take<std::int8_t>(Purpose::optimizer, 1), std::logic_error);
  EXPECT_EQ(memory.total(), 64U) << "what was refused is not counted";
  EXPECT_NE(memory.take<float>(Purpose::gradients, 16), nullptr);
}

}  // namespace
}  // namespace perf::workloads
