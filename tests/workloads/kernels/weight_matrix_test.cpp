#include "workloads/kernels/weight_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/workloads/random_values.h"
#include "tests/workloads/weight_memory.h"
#include "workloads/kernels/quantized_group.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {
namespace {

std::vector<float> normal_values(std::size_t count, std::uint32_t seed) {
  std::vector<float> values(count);
  fill_normal(values.data(), count, seed, 1);
  return values;
}

std::vector<float> unpacked(const WeightMatrix& matrix) {
  std::vector<float> result(matrix.rows * matrix.columns);
  unpack_rows(matrix, 0, matrix.rows, result.data());
  return result;
}

// The same bits, any NaN being like any other.
void expect_same(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool both_nan = std::isnan(want[i]) && std::isnan(got[i]);
    ASSERT_TRUE(both_nan || got[i] == want[i]) << got[i] << " for " << want[i] << " at " << i;
  }
}

class EveryType : public testing::TestWithParam<WeightType> {};

INSTANTIATE_TEST_SUITE_P(WeightMatrix, EveryType,
                         testing::Values(WeightType::fp32, WeightType::bf16, WeightType::fp16,
                                         WeightType::int8, WeightType::int4, WeightType::nf4),
                         [](const auto& type) { return name_of(type.param); });

TEST(WeightTypes, HaveNamesThatLeadBack) {
  for (const std::string& name : weight_type_names()) {
    EXPECT_EQ(name_of(weight_type_from(name)), name);
  }
  EXPECT_THROW(weight_type_from("int2"), std::invalid_argument);
}

TEST(WeightTypes, ArePlainDTypesWithoutQuantization) {
  for (const WeightType type : {WeightType::fp32, WeightType::bf16, WeightType::fp16}) {
    ASSERT_TRUE(plain_dtype(type).has_value()) << name_of(type);
    EXPECT_EQ(name_of(*plain_dtype(type)), name_of(type));
  }
  for (const WeightType type : {WeightType::int8, WeightType::int4, WeightType::nf4}) {
    EXPECT_FALSE(plain_dtype(type).has_value()) << name_of(type);
  }
}

// Full tiles of 16 rows and 64 or 128 columns, and everything that is less or a bit more.
TEST_P(EveryType, StoresWhatTheFormulasSay) {
  for (const std::size_t rows : {1, 15, 16, 17, 40}) {
    for (const std::size_t columns : {1, 31, 32, 33, 64, 100, 128, 129, 320}) {
      const auto values = random_values(rows * columns, 1, 0.3F);
      SCOPED_TRACE(testing::Message() << rows << " x " << columns);
      expect_same(unpacked(packed(GetParam(), values, rows, columns).matrix),
                  rounded_reference(GetParam(), values, columns));
    }
  }
}

TEST_P(EveryType, PacksAndUnpacksAnyRangeOfRows) {
  constexpr std::size_t kRows = 37, kColumns = 70;
  const auto values = random_values(kRows * kColumns, 2);
  const auto want = rounded_reference(GetParam(), values, kColumns);
  PackedWeights weights(GetParam(), kRows, kColumns);
  for (const auto& [first, count] : {std::pair{20, 17}, {0, 3}, {5, 15}, {3, 2}}) {
    pack_rows(&values[first * kColumns], first, count, weights.matrix);
  }
  expect_same(unpacked(weights.matrix), want);
  for (const std::size_t first : {0, 7, 15, 16, 30}) {
    std::vector<float> rows(7 * kColumns, -1);
    unpack_rows(weights.matrix, first, 6, rows.data());
    expect_same({rows.begin(), rows.begin() + 6 * kColumns},
                {want.begin() + first * kColumns, want.begin() + (first + 6) * kColumns});
    EXPECT_EQ(rows[6 * kColumns], -1) << "one past the end";
  }
}

TEST_P(EveryType, DoesNotCareWhichThreadStoresWhichRow) {
  constexpr std::size_t kRows = 64, kColumns = 160;
  const auto values = random_values(kRows * kColumns, 3);
  PackedWeights weights(GetParam(), kRows, kColumns);
  constexpr std::size_t kThreads = 4;
  std::vector<std::thread> threads;
  for (std::size_t own = 0; own < kThreads; ++own) {
    threads.emplace_back([&, own] {
      for (std::size_t row = own; row < kRows; row += kThreads) {
        pack_rows(&values[row * kColumns], row, 1, weights.matrix);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  expect_same(unpacked(weights.matrix), rounded_reference(GetParam(), values, kColumns));
}

TEST_P(EveryType, UnpacksToBf16AsTheFloatsRounded) {
  constexpr std::size_t kRows = 19, kColumns = 200;
  const PackedWeights weights =
      packed(GetParam(), random_values(kRows * kColumns, 4), kRows, kColumns);
  const auto floats = unpacked(weights.matrix);
  std::vector<Bf16> halves(floats.size());
  unpack_rows(weights.matrix, 0, kRows, halves.data());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    ASSERT_EQ(halves[i].bits, narrow<Bf16>(floats[i]).bits) << "at " << i;
  }
}

// Uniform noise of one step, the largest of 32 normal values being 2.1 standard deviations on
// average, is 45.4 dB at int8 and 21.3 dB at int4; the levels of nf4 give 21.2 dB. Bf16 and Fp16
// round by 2^-8 and 2^-11 at most: more than 52 and 70 dB.
TEST_P(EveryType, KeepsNormalValuesWithTheNoiseOfItsStep) {
  struct Bounds {
    double least, most;
  };
  constexpr double kExact = std::numeric_limits<double>::infinity();
  const Bounds bounds[] = {{kExact, kExact}, {52, 58}, {70, 76}, {45, 46}, {21, 22}, {20.9, 21.5}};
  constexpr std::size_t kColumns = 1024;
  const auto values = normal_values(64 * kColumns, 5);
  const auto got = unpacked(packed(GetParam(), values, 64, kColumns).matrix);
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    signal += double{values[i]} * values[i];
    noise += std::pow(double{values[i]} - got[i], 2);
  }
  const Bounds& bound = bounds[static_cast<std::size_t>(GetParam())];
  const double decibels = 10 * std::log10(signal / noise);
  EXPECT_GE(decibels, bound.least);
  EXPECT_LE(decibels, bound.most);
}

// Zeros, one huge value among small ones, the largest and the smallest floats, subnormals, equal
// values of both signs.
TEST_P(EveryType, StoresExtremeGroups) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr float kSmallest = std::numeric_limits<float>::min();
  constexpr float kSubnormal = std::numeric_limits<float>::denorm_min();
  std::vector<float> values;
  for (const float first : {0.0F, -0.0F, 1e30F, -1e30F, kLargest, -kLargest, kSmallest,
                            200 * kSmallest, kSubnormal, -1000 * kSubnormal, 1e-6F, 1.0F}) {
    for (std::size_t i = 0; i < WeightMatrix::kGroup; ++i) {
      values.push_back(i == 3 ? first : (i == 9 ? -first : first * 0x1p-3F));
    }
  }
  const auto got = unpacked(packed(GetParam(), values, 1, values.size()).matrix);
  expect_same(got, rounded_reference(GetParam(), values, values.size()));
  // fp16 ends at 65504, and the largest float is rounded up to infinity in bf16.
  if (GetParam() != WeightType::fp16 && GetParam() != WeightType::bf16) {
    const bool finite =
        std::all_of(got.begin(), got.end(), [](float x) { return std::isfinite(x); });
    EXPECT_TRUE(finite);
  }
}

TEST(QuantizedWeights, SpoilAGroupThatIsNotFinite) {
  for (const WeightType type : {WeightType::int8, WeightType::int4, WeightType::nf4}) {
    for (const float bad : {std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(), std::nanf("")}) {
      auto values = random_values(96, 6);
      values[40] = bad;
      const auto got = unpacked(packed(type, values, 1, values.size()).matrix);
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(std::isnan(got[i]), i / 32 == 1) << name_of(type) << " at " << i;
      }
    }
  }
}

// A power of two as scale makes every level a number that Bf16 has, at each place of a group.
TEST(QuantizedWeights, GiveEveryLevelBackAtEveryPlace) {
  for (std::size_t shift = 0; shift < 32; ++shift) {
    std::vector<float> int8(8 * 32), int4(32), nf4(32);
    for (std::size_t i = 0; i < int8.size(); ++i) {
      int8[i] = static_cast<float>((i + shift * 8) % 255) - 127;
    }
    for (std::size_t i = 0; i < int8.size(); i += 32) {
      int8[i + shift] = i % 64 == 0 ? 127 : -127;  // the scale: 1
    }
    for (std::size_t i = 0; i < 32; ++i) {
      int4[(i + shift) % 32] = static_cast<float>(i % 16) - 8;
      nf4[(i + shift) % 32] = 0.25F * kNf4Levels[i % 16];
    }
    expect_same(unpacked(packed(WeightType::int8, int8, 1, int8.size()).matrix), int8);
    expect_same(unpacked(packed(WeightType::int4, int4, 1, 32).matrix), int4);
    expect_same(unpacked(packed(WeightType::nf4, nf4, 1, 32).matrix), nf4);
  }
}

TEST(QuantizedWeights, RoundTiesToEvenAndNf4TiesDown) {
  std::vector<float> values(32);
  values[0] = -127;
  values[1] = 2.5F, values[2] = 3.5F, values[3] = -0.5F, values[4] = -1.5F;
  auto got = unpacked(packed(WeightType::int8, values, 1, 32).matrix);
  EXPECT_EQ((std::vector<float>{got.begin(), got.begin() + 5}),
            (std::vector<float>{-127, 2, 4, 0, -2}));
  values[0] = -8;
  got = unpacked(packed(WeightType::int4, values, 1, 32).matrix);
  EXPECT_EQ((std::vector<float>{got.begin(), got.begin() + 5}),
            (std::vector<float>{-8, 2, 4, 0, -2}));
  values[0] = 1;
  values[1] = kNf4Levels[8] / 2;  // between zero and the level above it
  got = unpacked(packed(WeightType::nf4, values, 1, 32).matrix);
  EXPECT_EQ(got[1], 0);
}

// The largest value of a group of int4 is kept exactly, whatever its sign; its opposite is not.
TEST(QuantizedWeights, PutTheLargestOfFourBitsOnTheLevelWithoutOpposite) {
  std::vector<float> values(32);
  values[5] = 4, values[6] = -3.9F;
  const auto got = unpacked(packed(WeightType::int4, values, 1, 32).matrix);
  EXPECT_EQ(got[5], 4);
  EXPECT_EQ(got[6], -3.5F);
}

TEST_P(EveryType, TakesItsMemoryAsWeightsOnceCounted) {
  Ledger counted;
  EXPECT_EQ(WeightMatrix::take(GetParam(), 20, 96, counted).values, nullptr);
  Ledger memory(counted);
  WeightMatrix matrix = WeightMatrix::take(GetParam(), 20, 96, memory);
  EXPECT_GE(memory.bytes(Purpose::weights), matrix.bytes());
  EXPECT_EQ(memory.total(), counted.total());
  expect_same(unpacked(matrix), std::vector<float>(20 * 96));
}

TEST(QuantizedWeights, TakeTheMemoryOfTheirBitsAndScales) {
  EXPECT_EQ((PackedWeights(WeightType::int8, 896, 896).matrix.bytes()), 896 * 896 * 34 / 32);
  EXPECT_EQ((PackedWeights(WeightType::int4, 896, 896).matrix.bytes()), 896 * 896 * 18 / 32);
  EXPECT_EQ((PackedWeights(WeightType::nf4, 1, 1).matrix.bytes()), 16 * 128 * 18 / 32);
  EXPECT_EQ((PackedWeights(WeightType::fp16, 3, 5).matrix.bytes()), 30);
}

}  // namespace
}  // namespace perf::workloads
