#include "workloads/kernels/few_rows.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/few_rows_kernels.h"

namespace perf::workloads {
namespace {

struct Shape {
  std::size_t rows, columns;
};

// Widths with and without a rest at every width of registers; rows that fill tiles, or not, or not
// one thread's share; one product that is large enough for several threads.
const std::vector<Shape> kShapes = {{1, 1},    {3, 5},   {16, 64},  {17, 63},
                                    {33, 100}, {5, 257}, {50, 896}, {300, 640}};

// A matrix, rows of inputs and what was in `out` before.
struct Product {
  Product(WeightType type, Shape shape, std::size_t inputs = kFewRows)
      : count(inputs),
        memory(counted(type, shape)),
        weights(WeightMatrix::take(type, shape.rows, shape.columns, memory)),
        in(random_values(inputs * shape.columns, 1, 2)),
        before(random_values(inputs * shape.rows, 1, 3)) {
    const std::vector<float> values = random_values(shape.rows * shape.columns, 1, 1);
    pack_rows(values.data(), 0, shape.rows, weights);
  }

  static Ledger counted(WeightType type, Shape shape) {
    Ledger ledger;
    WeightMatrix::take(type, shape.rows, shape.columns, ledger);
    return Ledger(ledger);
  }

  std::vector<float> fast(float beta) const {
    std::vector<float> out = before;
    multiply_few_rows(weights, in.data(), count, beta, out.data());
    return out;
  }
  std::vector<float> reference(float beta) const {
    std::vector<float> out = before;
    multiply_few_rows_reference(weights, in.data(), count, beta, out.data());
    return out;
  }

  // Sums in single precision over n terms, in at least four parts that are added up at the end, are
  // off by at most (n/4 + 4) units of the sum of magnitudes, which is at most n here. Higham,
  // "Accuracy and Stability of Numerical Algorithms", section 4.2.
  double tolerance() const {
    const auto n = static_cast<double>(weights.columns);
    return (n / 4 + 4) * (n + 1) * std::numeric_limits<float>::epsilon() / 2;
  }

  std::size_t count;
  Ledger memory;
  WeightMatrix weights;
  std::vector<float> in, before;
};

void expect_near(const std::vector<float>& got, const std::vector<float>& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], tolerance) << i;
  }
}

class FewRows : public testing::TestWithParam<WeightType> {};

TEST_P(FewRows, MatchTheReferenceForEveryCountAndShape) {
  for (const Shape shape : kShapes) {
    Product product(GetParam(), shape);
    for (product.count = 1; product.count <= kFewRows; ++product.count) {
      SCOPED_TRACE(testing::Message()
                   << shape.rows << "x" << shape.columns << ", " << product.count);
      product.before.resize(product.count * shape.rows, 0.5F);
      expect_near(product.fast(0), product.reference(0), product.tolerance());
      expect_near(product.fast(1), product.reference(1), product.tolerance());
      if (HasFatalFailure()) {
        return;
      }
    }
  }
}

TEST_P(FewRows, BetaZeroForgetsWhatWasThere) {
  for (const std::size_t count : {1, 2, 7}) {
    Product product(GetParam(), {20, 48}, count);
    const std::vector<float> want = product.fast(0);
    product.before.assign(product.before.size(), std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(product.fast(0), want);
    EXPECT_EQ(product.reference(0)[0], product.reference(0)[0]);
  }
}

TEST_P(FewRows, DoNotDependOnTheNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (const std::size_t count : {1, 3, 16}) {
    const Product product(GetParam(), {300, 640}, count);
    omp_set_num_threads(1);
    const std::vector<float> want = product.fast(1);
    for (const int several : {2, 3, 7, 70}) {
      omp_set_num_threads(several);
      EXPECT_EQ(product.fast(1), want) << several << " threads, " << count;
    }
  }
  omp_set_num_threads(threads);
}

// From within a parallel region one thread gets all ranges, however many threads there could be.
TEST_P(FewRows, AreDoneByFewerThreadsThanThereCouldBe) {
  const Product product(GetParam(), {300, 640}, 3);
  const std::vector<float> want = product.fast(1);
  std::vector<float> got;
#pragma omp parallel num_threads(2)
#pragma omp single
  got = product.fast(1);
  EXPECT_EQ(got, want);
}

// In the middle of a row, and in what is left of it after whole registers.
TEST_P(FewRows, InfinitiesAndNaNsReachTheirOwnOutputsOnly) {
  constexpr std::size_t kColumns = 101;
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (const std::size_t at : {7, 100}) {
      for (const std::size_t count : {1, 3, 11}) {
        Product product(GetParam(), {37, kColumns}, count);
        product.in[(count - 1) * kColumns + at] = bad;
        std::vector<float> row = random_values(kColumns, 1, 4);
        row[kColumns - 1 - at % 50] = bad;
        pack_rows(row.data(), 21, 1, product.weights);
        const std::vector<float> got = product.fast(1), want = product.reference(1);
        for (std::size_t i = 0; i < want.size(); ++i) {
          const bool is_own = i % 37 == 21 || i / 37 == count - 1;
          ASSERT_EQ(std::isfinite(got[i]), !is_own) << i << ", " << count;
          if (is_own) {
            ASSERT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]))) << i;
          }
        }
      }
    }
  }
}

// A row of weights and a row of inputs that say where they are: sums are exact in any order.
TEST_P(FewRows, EveryOutputComesFromItsOwnRows) {
  constexpr std::size_t kRows = 37, kColumns = 96, kCount = 11;
  Product product(GetParam(), {kRows, kColumns}, kCount);
  std::vector<float> values(kRows * kColumns, 0.0F);
  for (std::size_t i = 0; i < kRows; ++i) {
    values[i * kColumns + i] = 2;
  }
  pack_rows(values.data(), 0, kRows, product.weights);
  for (std::size_t j = 0; j < kCount; ++j) {
    for (std::size_t k = 0; k < kColumns; ++k) {
      product.in[j * kColumns + k] = static_cast<float>(j * 100 + k);
    }
  }
  const std::vector<float> out = product.fast(0);
  for (std::size_t j = 0; j < kCount; ++j) {
    for (std::size_t i = 0; i < kRows; ++i) {
      EXPECT_EQ(out[j * kRows + i], 2 * static_cast<float>(j * 100 + i)) << j << ", " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Floats, FewRows,
                         testing::Values(WeightType::fp32, WeightType::bf16, WeightType::fp16),
                         [](const auto& parameter) { return name_of(parameter.param); });

TEST(FewRowsReference, MultipliesAndAdds) {
  Product product(WeightType::fp32, {2, 3}, 2);
  const std::vector<float> weights = {1, 2, 3, -1, 0, 4};
  pack_rows(weights.data(), 0, 2, product.weights);
  product.in = {1, 1, 1, 2, 0, -1};
  product.before = {10, 20, 30, 40};
  EXPECT_EQ(product.reference(0), (std::vector<float>{6, 3, -1, -6}));
  EXPECT_EQ(product.reference(1), (std::vector<float>{16, 23, 29, 34}));
}

// What only a wide type tells from a narrow one: 1 + 2^-9 is not a Bf16, 1 + 2^-12 not an Fp16.
TEST(FewRowsReference, WeightsAreWhatTheTypeHolds) {
  const auto stored = [](WeightType type, float value) {
    Product product(type, {1, 1}, 1);
    pack_rows(&value, 0, 1, product.weights);
    product.in = {1};
    EXPECT_EQ(product.fast(0), product.reference(0));
    return product.reference(0)[0];
  };
  EXPECT_EQ(stored(WeightType::fp32, 1 + 0x1p-12F), 1 + 0x1p-12F);
  EXPECT_EQ(stored(WeightType::fp16, 1 + 0x1p-12F), 1);
  EXPECT_EQ(stored(WeightType::fp16, 1 + 0x1p-9F), 1 + 0x1p-9F);
  EXPECT_EQ(stored(WeightType::bf16, 1 + 0x1p-9F), 1);
  EXPECT_EQ(stored(WeightType::bf16, 0x1p-130F), 0x1p-130F);
}

// More than the scratch of one call holds: it is cut into several.
TEST(FewRowsDispatch, WideInputsAreCutIntoSeveralCalls) {
  constexpr std::size_t kColumns = kMostPrepared / 4 + 32;
  const Product product(WeightType::int8, {3, kColumns}, 7);
  const std::vector<float> got = product.fast(1), want = product.reference(1);
  // As many terms as these have errors of both signs; int8 kernels may round inputs to 0.4 %.
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], 0.01 * std::sqrt(static_cast<double>(kColumns))) << i;
  }
}

}  // namespace
}  // namespace perf::workloads
