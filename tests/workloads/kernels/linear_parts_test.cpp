#include "workloads/kernels/linear_parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/workloads/random_values.h"
#include "tests/workloads/typed_values.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {
namespace {

TEST(AddBias, MatchesReference) {
  const std::vector<float> in = random_values(13 * 77, 1), bias = random_values(77, 2);
  std::vector<float> out(in.size()), want(in.size());
  add_bias(in.data(), bias.data(), out.data(), 13, 77);
  add_bias_reference(in.data(), bias.data(), want.data(), 13, 77);
  EXPECT_EQ(out, want);
}

TEST(ColumnSums, MatchReferenceAtAnyWidth) {
  for (const std::size_t columns : {1U, 15U, 200U, 3000U}) {
    const std::vector<float> in = random_values(50 * columns, 1);
    std::vector<float> sums(columns, NAN), want(columns);
    column_sums(in.data(), sums.data(), 50, columns);
    column_sums_reference(in.data(), want.data(), 50, columns);
    EXPECT_LT(largest_relative_error(sums.data(), want.data(), columns), 1e-6) << columns;
  }
}

TEST(SquaredError, MatchesReferenceAndItsGradientFiniteDifferences) {
  constexpr std::size_t kCount = 9001;
  std::vector<float> out = random_values(kCount, 1);
  const std::vector<float> target = random_values(kCount, 2);
  std::vector<float> grad(kCount), want(kCount);
  const double loss = squared_error(out.data(), target.data(), 1, grad.data(), kCount);
  EXPECT_NEAR(loss, squared_error_reference(out.data(), target.data(), 1, want.data(), kCount),
              1e-6 * loss);
  EXPECT_LT(largest_relative_error(grad.data(), want.data(), kCount), 1e-6);
  const float before = out[77];
  std::vector<float> unused(kCount);
  out[77] = before + 0.5F;
  const double up = squared_error_reference(out.data(), target.data(), 1, unused.data(), kCount);
  out[77] = before - 0.5F;
  const double down = squared_error_reference(out.data(), target.data(), 1, unused.data(), kCount);
  EXPECT_NEAR(grad[77], up - down, 1e-9);  // exact for a parabola, but for rounding
}

template <class T>
class LinearPartsOf : public testing::Test {};
TYPED_TEST_SUITE(LinearPartsOf, StorageTypes);

TYPED_TEST(LinearPartsOf, MatchTheirReferences) {
  constexpr std::size_t kRows = 50, kColumns = 1500, kCount = kRows * kColumns;
  const auto in = typed_values<TypeParam>(kCount, 1), other = typed_values<TypeParam>(kCount, 2);
  const auto bias = typed_values<TypeParam>(kColumns, 3);
  std::vector<TypeParam> got(kCount), want(kCount), sums(kColumns), exact(kColumns);
  add_bias(in.data(), bias.data(), got.data(), kRows, kColumns);
  add_bias_reference(in.data(), bias.data(), want.data(), kRows, kColumns);
  EXPECT_EQ(widened(got), widened(want));
  column_sums(in.data(), sums.data(), kRows, kColumns);
  column_sums_reference(in.data(), exact.data(), kRows, kColumns);
  const double last_place =
      largest_relative_error(widened(sums).data(), widened(exact).data(), kColumns);
  EXPECT_LT(last_place, 2 * kRounding<TypeParam> + 1e-6);
  const double scale = static_cast<double>(kCount);
  const double loss = squared_error(in.data(), other.data(), scale, got.data(), kCount);
  EXPECT_NEAR(squared_error_reference(in.data(), other.data(), scale, want.data(), kCount) / loss,
              1, 1e-6);
  EXPECT_LT(largest_relative_error(widened(got).data(), widened(want).data(), kCount),
            2 * kRounding<TypeParam> + 1e-6);
}

TEST(Agreement, ShowsOneWrongValueAndNan) {
  std::vector<float> want = random_values(1000, 1), got = want;
  EXPECT_EQ(largest_relative_error(got.data(), want.data(), want.size()), 0);
  got[500] += 0.25F;
  EXPECT_NEAR(largest_relative_error(got.data(), want.data(), want.size()), 0.25, 0.01);
  got[10] = NAN;
  EXPECT_TRUE(std::isnan(largest_relative_error(got.data(), want.data(), want.size())));
}

}  // namespace
}  // namespace perf::workloads
