#include "workloads/kernels/rotary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"
#include "workloads/reference/parts.h"

namespace perf::workloads {
namespace {

constexpr double kTheta = 1e6;

struct Table {
  explicit Table(const QkvRows& shape)
      : cosines(shape.length * shape.size / 2), sines(cosines.size()) {
    rotary_table(kTheta, shape.length, shape.size, cosines.data(), sines.data());
  }
  std::vector<float> cosines, sines;
};

// One row's queries and keys turned by `direction` times the angle of its position, in place.
void rotate_exactly(const QkvRows& shape, double* row, std::size_t position, double direction) {
  const std::size_t half = shape.size / 2;
  for (std::size_t head = 0; head < shape.heads + shape.kv_heads; ++head) {
    for (std::size_t i = 0; i < half; ++i) {
      double& low = row[head * shape.size + i];
      double& high = row[head * shape.size + half + i];
      const double power = -2.0 * static_cast<double>(i) / static_cast<double>(shape.size);
      const double angle = direction * static_cast<double>(position) * std::pow(kTheta, power);
      const double x = low, y = high;
      low = x * std::cos(angle) - y * std::sin(angle);
      high = y * std::cos(angle) + x * std::sin(angle);
    }
  }
}

void rotate_exactly(const QkvRows& shape, std::vector<double>& values, double direction) {
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    rotate_exactly(shape, &values[row * shape.width()], row % shape.length, direction);
  }
}

// Values are at most 4: a few roundings of single precision, the table's among them.
constexpr double kSlack = 2e-6;

const QkvRows kRotatedRows[] = {
    {.sequences = 3, .length = 5, .heads = 4, .kv_heads = 2, .size = 6},
    {.sequences = 2, .length = 37, .heads = 14, .kv_heads = 2, .size = 64},
    {.sequences = 1, .length = 9, .heads = 3, .kv_heads = 1, .size = 128},
};

template <class T>
class RotaryOf : public testing::Test {};
TYPED_TEST_SUITE(RotaryOf, StorageTypes);

TYPED_TEST(RotaryOf, AddsTheBiasAndRotatesQueriesAndKeys) {
  for (const QkvRows& shape : kRotatedRows) {
    auto qkv = typed_values<TypeParam>(shape.rows() * shape.width(), 1, 2);
    const auto bias = typed_values<TypeParam>(shape.width(), 2);
    std::vector<double> want = widened(qkv);
    for (std::size_t i = 0; i < want.size(); ++i) {
      want[i] += widen(bias[i % shape.width()]);
    }
    rotate_exactly(shape, want, 1);
    const Table table(shape);
    bias_and_rotate(shape, qkv.data(), bias.data(), table.cosines.data(), table.sines.data());
    expect_rounded(qkv, want, kSlack);
  }
}

TYPED_TEST(RotaryOf, RotatesBackAndSumsTheBiasGradient) {
  for (const QkvRows& shape : kRotatedRows) {
    const auto grad = typed_values<TypeParam>(shape.rows() * shape.width(), 1, 2);
    std::vector<double> want = widened(grad), want_bias(shape.width());
    rotate_exactly(shape, want, -1);
    for (std::size_t i = 0; i < want.size(); ++i) {
      want_bias[i % shape.width()] += want[i];
    }
    const Table table(shape);
    auto got = grad, without_bias = grad;
    std::vector<TypeParam> bias(shape.width());
    rotate_back(shape, got.data(), bias.data(), table.cosines.data(), table.sines.data());
    expect_rounded(got, want, kSlack);
    expect_rounded(bias, want_bias, kSlack * static_cast<double>(shape.rows()));
    TypeParam* none = nullptr;
    rotate_back(shape, without_bias.data(), none, table.cosines.data(), table.sines.data());
    EXPECT_EQ(widened(without_bias), widened(got));
  }
}

TYPED_TEST(RotaryOf, IsTheSameOnAnyThreads) {
  const QkvRows shape{.sequences = 2, .length = 50, .heads = 3, .kv_heads = 1, .size = 20};
  const Table table(shape);
  const auto bias = typed_values<TypeParam>(shape.width(), 2);
  expect_same_on_any_threads([&] {
    auto qkv = typed_values<TypeParam>(shape.rows() * shape.width(), 1, 2);
    std::vector<TypeParam> grad_bias(shape.width());
    bias_and_rotate(shape, qkv.data(), bias.data(), table.cosines.data(), table.sines.data());
    rotate_back(shape, qkv.data(), grad_bias.data(), table.cosines.data(), table.sines.data());
    return std::pair(widened(qkv), widened(grad_bias));
  });
}

// What rotation is for: the product of a query and a key depends on their distance alone.
TEST(Rotary, KeepsProductsOfEqualDistance) {
  const QkvRows shape{.sequences = 1, .length = 40, .heads = 1, .kv_heads = 1, .size = 32};
  const std::vector<float> row = random_values(shape.width(), 1);
  const std::vector<float> bias(shape.width());
  std::vector<float> qkv;
  for (std::size_t i = 0; i < shape.length; ++i) {
    qkv.insert(qkv.end(), row.begin(), row.end());
  }
  const Table table(shape);
  bias_and_rotate(shape, qkv.data(), bias.data(), table.cosines.data(), table.sines.data());
  const auto product = [&](std::size_t query, std::size_t key) {
    double sum = 0;
    for (std::size_t i = 0; i < shape.size; ++i) {
      sum += static_cast<double>(qkv[query * shape.width() + i]) *
             qkv[key * shape.width() + shape.size + i];
    }
    return sum;
  };
  EXPECT_NEAR(product(12, 5), product(39, 32), 1e-5);
  EXPECT_GT(std::abs(product(12, 5) - product(12, 6)), 1e-3);
}

// Of Llama 3.2 1B: theta 500,000, 64 values a head. The angles are those that transformers
// computes.
TEST(Rotary, ScalesSlowPairsAsLlamaDoes) {
  constexpr RopeScaling kLlama{.factor = 32};
  constexpr std::size_t kSize = 64, kHalf = kSize / 2, kPosition = 1500;
  const std::pair<std::size_t, double> published[] = {
      {0, 1.0},
      {14, 0.0032114459947525913},
      {15, 0.001290547928209264},
      {16, 0.00042955679655936815},
      {17, 9.70828780262767e-05},
      {18, 1.9461638184831125e-05},
      {31, 9.418306725434909e-08},
  };
  for (const auto& [pair, angle] : published) {
    EXPECT_NEAR(reference::rotary_angle(5e5, kLlama, kSize, pair), angle, 1e-12 * angle) << pair;
  }
  std::vector<float> cosines((kPosition + 1) * kHalf), sines(cosines.size());
  rotary_table(5e5, kPosition + 1, kSize, cosines.data(), sines.data(), kLlama);
  for (std::size_t i = 0; i < kHalf; ++i) {
    const double angle = kPosition * reference::rotary_angle(5e5, kLlama, kSize, i);
    EXPECT_NEAR(cosines[kPosition * kHalf + i], std::cos(angle), 1e-7) << i;
    EXPECT_NEAR(sines[kPosition * kHalf + i], std::sin(angle), 1e-7) << i;
  }
}

TYPED_TEST(RotaryOf, RotatesWithoutABiasAsWithOneOfZeros) {
  for (const QkvRows& shape : kRotatedRows) {
    auto with = typed_values<TypeParam>(shape.rows() * shape.width(), 1, 2), without = with;
    const std::vector<TypeParam> zeros(shape.width());
    const Table table(shape);
    bias_and_rotate(shape, with.data(), zeros.data(), table.cosines.data(), table.sines.data());
    bias_and_rotate<TypeParam>(shape, without.data(), nullptr, table.cosines.data(),
                               table.sines.data());
    EXPECT_EQ(widened(without), widened(with));
  }
}

}  // namespace
}  // namespace perf::workloads
