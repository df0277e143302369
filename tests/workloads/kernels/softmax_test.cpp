#include "workloads/kernels/softmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/workloads/random_values.h"
#include "tests/workloads/threads.h"

namespace perf::workloads {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

using Values = std::vector<float>;

// Of rows in memory that is not aligned to a register.
Values softmax_of(const Values& in, std::size_t columns) {
  Values own(in.size() + 1), out(in.size() + 1);
  std::copy(in.begin(), in.end(), own.begin() + 1);
  softmax(own.data() + 1, out.data() + 1, in.size() / columns, columns);
  return {out.begin() + 1, out.end()};
}

Values reference(const Values& in, std::size_t columns) {
  Values out(in.size());
  softmax_reference(in.data(), out.data(), in.size() / columns, columns);
  return out;
}

// Each value relative to itself: e^x is off by less than 4e-7, the sum, its reciprocal and the
// product by a few roundings. And x = in - largest, the logarithm of what comes out (but for that
// of the sum), is rounded, on a CPU without fused multiplication and addition once more, and e^x is
// off by as much.
double tolerance(double want) {
  return want > 0 ? want * (1e-6 - 0x1p-23 * std::log(want)) + 1.2e-38 : 0;
}

void expect_close(const Values& got, const Values& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], tolerance(want[i])) << i;
  }
}

// One column, below a register, whole registers, all kinds of tails.
constexpr std::size_t kColumns[] = {1,  2,  7,  15,  16,  17,   31,   33,  63,
                                    64, 65, 80, 127, 256, 1000, 1024, 2500};

TEST(Softmax, MatchesPlainLoops) {
  for (const std::size_t columns : kColumns) {
    SCOPED_TRACE(columns);
    for (const float bound : {0.1F, 5.0F, 40.0F}) {
      const Values in = random_values(5 * columns, static_cast<std::uint32_t>(columns), bound);
      expect_close(softmax_of(in, columns), reference(in, columns));
    }
  }
}

TEST(Softmax, WorksInPlace) {
  for (const std::size_t columns : kColumns) {
    const Values in = random_values(3 * columns, 7, 4);
    Values out(in.size()), own = in;
    softmax(in.data(), out.data(), 3, columns);
    softmax(own.data(), own.data(), 3, columns);
    EXPECT_EQ(own, out) << columns;
  }
}

TEST(Softmax, IsTheSameOnAnyThreads) {
  for (const std::size_t rows : {1, 2, 37}) {
    const Values in = random_values(rows * 131, 3, 4);
    expect_same_on_any_threads([&] { return softmax_of(in, 131); });
  }
}

TEST(Softmax, WritesNothingButTheRows) {
  Values out(2 * 19 + 1, 5);
  const Values in = random_values(2 * 19, 3);
  softmax(in.data(), out.data(), 2, 19);
  EXPECT_EQ(out.back(), 5);
  softmax(in.data(), out.data() + 38, 0, 19);
  softmax(in.data(), out.data() + 38, 3, 0);
  EXPECT_EQ(out.back(), 5);
}

TEST(Softmax, EqualValuesShareEqually) {
  for (const float value : {0.0F, -1e30F, 3e38F, -3.4e38F}) {
    const Values out = softmax_of(Values(50, value), 50);
    for (const float share : out) {
      EXPECT_FLOAT_EQ(share, 1.0F / 50) << value;
    }
  }
}

TEST(Softmax, LargeValuesDoNotOverflow) {
  Values in = random_values(3 * 100, 5, 1);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = in[i] * 4 + (i < 100 ? 1e4F : i < 200 ? -1e4F : 88.0F);
  }
  expect_close(softmax_of(in, 100), reference(in, 100));
  in[50] = 3e38F;
  in[150] = -3e38F;
  expect_close(softmax_of(in, 100), reference(in, 100));
}

// What e^x has to say over all of its range, against one 0: also where it is no normal float, to
// within the least of those.
TEST(Softmax, FollowsThePowerToItsEnd) {
  const std::size_t columns = 2;
  for (float x = 0; x > -120; x -= 0.01F) {
    const Values out = softmax_of({x, 0}, columns);
    const double power = std::exp(static_cast<double>(x)), want = power / (1 + power);
    ASSERT_NEAR(out[0], want, tolerance(want)) << x;
    if (x < -87.7F) {
      ASSERT_EQ(out[0], 0) << x;
    }
  }
}

TEST(Softmax, MaskedValuesGetExactlyNothing) {
  for (const std::size_t columns : {5, 16, 50, 131}) {
    Values in = random_values(columns, 5, 3);
    for (std::size_t i = 1; i < columns; ++i) {
      in[i] = i % 3 == 0 ? in[i] : -kInfinity;
    }
    const Values out = softmax_of(in, columns);
    expect_close(out, reference(in, columns));
    for (std::size_t i = 1; i < columns; ++i) {
      EXPECT_EQ(out[i] == 0, in[i] == -kInfinity) << i;
    }
  }
}

TEST(Softmax, IsNaNInRowsWithoutAResultOnly) {
  Values payload(1);
  const std::uint32_t bits = 0x7f800001;  // a NaN whose low bits would make a number of it
  std::memcpy(payload.data(), &bits, sizeof bits);
  for (const float bad : {kNoNumber, payload[0], -kNoNumber, kInfinity}) {
    for (const std::size_t columns : {1, 5, 16, 64, 131}) {
      for (const std::size_t place : {std::size_t{0}, columns / 2, columns - 1}) {
        Values in = random_values(3 * columns, 5, 3);
        in[columns + place] = bad;
        const Values out = softmax_of(in, columns);
        for (std::size_t i = 0; i < out.size(); ++i) {
          EXPECT_EQ(std::isnan(out[i]), i / columns == 1) << columns << " columns, at " << i;
        }
      }
    }
  }
  for (const float share : softmax_of(Values(40, -kInfinity), 40)) {
    EXPECT_TRUE(std::isnan(share));
  }
}

TEST(SoftmaxReference, GivesKnownShares) {
  const Values out = reference({0, std::log(2.0F), std::log(5.0F), 7, 7, 7}, 3);
  const double want[] = {0.125, 0.25, 0.625, 1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(out[i], want[i], 1e-7);
  }
  EXPECT_TRUE(std::isnan(reference({kNoNumber, 1, 2}, 3)[1]));
  EXPECT_EQ(reference({-kInfinity, 1}, 2)[0], 0);
}

}  // namespace
}  // namespace perf::workloads
