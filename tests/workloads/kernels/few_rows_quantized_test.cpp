#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/workloads/random_values.h"
#include "tests/workloads/threads.h"
#include "tests/workloads/weight_memory.h"
#include "workloads/kernels/few_rows.h"

namespace perf::workloads {
namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;

class QuantizedProduct : public testing::TestWithParam<WeightType> {};

INSTANTIATE_TEST_SUITE_P(FewRows, QuantizedProduct,
                         testing::Values(WeightType::int8, WeightType::int4, WeightType::nf4),
                         [](const auto& type) { return name_of(type.param); });

std::vector<float> product(const WeightMatrix& weights, const std::vector<float>& in,
                           std::size_t count, float beta = 0, float before = 0) {
  std::vector<float> out(count * weights.rows, before);
  multiply_few_rows(weights, in.data(), count, beta, out.data());
  return out;
}

std::vector<float> reference(const WeightMatrix& weights, const std::vector<float>& in,
                             std::size_t count, float beta = 0, float before = 0) {
  std::vector<float> out(count * weights.rows, before);
  multiply_few_rows_reference(weights, in.data(), count, beta, out.data());
  return out;
}

// What rounding may do to a product, as few_rows_quantized.cpp describes it: half a unit for each
// number of the input; for nf4 half an 8191st of the scale for each level; 2^-20 of the magnitudes
// for sums in single precision over at most 64 groups.
double allowance(WeightType type, const float* weights, const float* in, std::size_t columns) {
  double result = 0;
  for (std::size_t begin = 0; begin < columns; begin += kGroup) {
    double largest = 0, input = 0, weight = 0, scale = 0, products = 0;
    for (std::size_t i = begin; i < std::min(columns, begin + kGroup); ++i) {
      largest = std::max(largest, std::abs(double{in[i]}));
      scale = std::max(scale, std::abs(double{weights[i]}));  // nf4: within 1 / 256
      input += std::abs(double{in[i]});
      weight += std::abs(double{weights[i]});
      products += std::abs(double{weights[i]} * in[i]);
    }
    const double unit = largest / (type == WeightType::nf4 ? 8191 : 32639);
    result += unit / 2 * weight + 0x1p-20 * products;
    if (type == WeightType::nf4) {
      result += 1.01 * scale / 8191 / 2 * (input + unit * kGroup / 2);
    }
  }
  return result;
}

void expect_close(const WeightMatrix& weights, const std::vector<float>& in, std::size_t count,
                  const std::vector<float>& got, const std::vector<float>& want) {
  const std::size_t columns = weights.columns;
  std::vector<float> row(columns);
  for (std::size_t i = 0; i < weights.rows; ++i) {
    unpack_rows(weights, i, 1, row.data());
    for (std::size_t j = 0; j < count; ++j) {
      ASSERT_NEAR(got[j * weights.rows + i], want[j * weights.rows + i],
                  allowance(weights.type, row.data(), &in[j * columns], columns) + 1e-30)
          << "row " << i << " of " << weights.rows << ", input " << j << " of " << count << ", "
          << columns << " columns";
    }
  }
}

TEST_P(QuantizedProduct, IsThatOfTheReferenceForEveryCount) {
  constexpr std::size_t kRows = 50, kColumns = 288;
  const PackedWeights weights =
      packed(GetParam(), random_values(kRows * kColumns, 1), kRows, kColumns);
  for (std::size_t count = 1; count <= kFewRows; ++count) {
    const auto in = random_values(count * kColumns, 2);
    expect_close(weights.matrix, in, count, product(weights.matrix, in, count),
                 reference(weights.matrix, in, count));
  }
}

TEST_P(QuantizedProduct, TakesAnyShape) {
  for (const std::size_t rows : {1, 15, 16, 17, 33}) {
    for (const std::size_t columns : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}) {
      const PackedWeights weights =
          packed(GetParam(), random_values(rows * columns, 3), rows, columns);
      const auto in = random_values(3 * columns, 4);
      expect_close(weights.matrix, in, 3, product(weights.matrix, in, 3),
                   reference(weights.matrix, in, 3));
    }
  }
}

// One weight and one input that are not zero: a wrong column, row, level or scale has nothing to
// hide behind.
TEST_P(QuantizedProduct, PairsEachWeightWithItsInput) {
  constexpr std::size_t kRows = 17, kColumns = 160;
  for (std::size_t at = 0; at < kColumns; ++at) {
    std::vector<float> values(kRows * kColumns), in(kColumns);
    values[at % kRows * kColumns + at] = static_cast<float>(at) + 1;
    in[at] = -3;
    const PackedWeights weights = packed(GetParam(), values, kRows, kColumns);
    const auto got = product(weights.matrix, in, 1);
    for (std::size_t row = 0; row < kRows; ++row) {
      ASSERT_NEAR(got[row], row == at % kRows ? -3 * (static_cast<double>(at) + 1) : 0,
                  3.1 * (at + 1) * 0x1p-8)  // the scale's rounding
          << "column " << at << ", row " << row;
    }
  }
}

// All products of a group at their largest: the sums of whole numbers must not overflow.
TEST_P(QuantizedProduct, HoldsTheLargestSums) {
  constexpr std::size_t kColumns = 256;
  for (const float weight : {1.0F, -1.0F}) {
    for (const float input : {1.0F, -1.0F}) {
      const PackedWeights weights =
          packed(GetParam(), std::vector<float>(kColumns, weight), 1, kColumns);
      const std::vector<float> in(kColumns, input);
      EXPECT_NEAR(product(weights.matrix, in, 1)[0], kColumns * weight * input, 0.01 * kColumns);
    }
  }
}

// Of int4 all codes but one of a group are 7, 15 above the least, and numbers of the input have the
// bytes 127, 127 or -128: sums of bytes in 16 bits must not overflow either.
TEST_P(QuantizedProduct, HoldsTheLargestSumsOfBytes) {
  constexpr std::size_t kColumns = 256;
  std::vector<float> values(kColumns, -0.875F);
  for (std::size_t i = 0; i < kColumns; i += kGroup) {
    values[i] = 1;
  }
  const PackedWeights weights = packed(GetParam(), values, 1, kColumns);
  for (const float rest : {1.0F, -1.0F, 32384 / 32639.0F, -32384 / 32639.0F}) {
    std::vector<float> in(kColumns, rest);
    for (std::size_t i = 0; i < kColumns; i += kGroup) {
      in[i] = 1;
    }
    expect_close(weights.matrix, in, 1, product(weights.matrix, in, 1),
                 reference(weights.matrix, in, 1));
  }
}

TEST_P(QuantizedProduct, AddsToWhatIsThereWithBetaOneOnly) {
  const PackedWeights weights = packed(GetParam(), random_values(40 * 96, 5), 40, 96);
  const auto in = random_values(2 * 96, 6);
  expect_close(weights.matrix, in, 2, product(weights.matrix, in, 2, 1, 0.5F),
               reference(weights.matrix, in, 2, 1, 0.5F));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(product(weights.matrix, in, 2, 0, nan), product(weights.matrix, in, 2));
}

// Groups of the input that differ by many orders of magnitude each have a unit of their own.
TEST_P(QuantizedProduct, RoundsEachGroupOfTheInputByItself) {
  constexpr std::size_t kColumns = 192;
  const PackedWeights weights = packed(GetParam(), random_values(20 * kColumns, 7), 20, kColumns);
  auto in = random_values(kColumns, 8);
  const float factors[] = {1e-20F, 1e20F, 0, 1e-36F, 1, 1e-44F};
  for (std::size_t part = 0; part < 6; ++part) {
    std::vector<float> only(kColumns);
    for (std::size_t i = 32 * part; i < 32 * (part + 1); ++i) {
      only[i] = in[i] * factors[part];
    }
    const auto got = product(weights.matrix, only, 1);
    if (factors[part] < 0x1p-100F) {
      EXPECT_EQ(got, std::vector<float>(20)) << "below 2^-100: counts as zero";
    } else {
      expect_close(weights.matrix, only, 1, got, reference(weights.matrix, only, 1));
    }
  }
}

TEST_P(QuantizedProduct, GivesNaNForAnInputOrAWeightThatIsNotFinite) {
  const auto values = random_values(20 * 96, 9);
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    auto in = random_values(2 * 96, 10);
    in[96 + 40] = bad;
    const PackedWeights weights = packed(GetParam(), values, 20, 96);
    const auto got = product(weights.matrix, in, 2);
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(std::isnan(got[i]), i >= 20) << "only the second input's";
    }
    auto spoiled = values;
    spoiled[3 * 96 + 70] = bad;
    const PackedWeights other = packed(GetParam(), spoiled, 20, 96);
    const auto row = product(other.matrix, random_values(96, 11), 1);
    for (std::size_t i = 0; i < row.size(); ++i) {
      ASSERT_EQ(std::isnan(row[i]), i == 3) << "only that row's";
    }
  }
}

// The first input's result is the same bits alone and among others, on any number of threads:
// large enough for several of them.
TEST_P(QuantizedProduct, DependsNeitherOnThreadsNorOnOtherInputs) {
  constexpr std::size_t kRows = 2000, kColumns = 256;
  const PackedWeights weights =
      packed(GetParam(), random_values(kRows * kColumns, 12), kRows, kColumns);
  const auto in = random_values(11 * kColumns, 13);
  expect_same_on_any_threads([&] { return product(weights.matrix, in, 11); });
  const auto all = product(weights.matrix, in, 11);
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_EQ(
        product(weights.matrix, {in.begin() + i * kColumns, in.begin() + (i + 1) * kColumns}, 1),
        std::vector<float>(all.begin() + i * kRows, all.begin() + (i + 1) * kRows));
  }
}

}  // namespace
}  // namespace perf::workloads
