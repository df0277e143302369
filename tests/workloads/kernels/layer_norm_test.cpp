#include "workloads/kernels/layer_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/workloads/random_values.h"
#include "tests/workloads/threads.h"

namespace perf::workloads {
namespace {

constexpr double kEpsilon = 0.01;  // large enough to be seen if it is left out

using Values = std::vector<float>;

struct Rows {
  Rows(std::size_t count, std::size_t width, float bound = 2, float offset = 0)
      : rows(count), columns(width) {
    const auto seed = static_cast<std::uint32_t>(width);
    gain = random_values(columns, seed + 1);
    bias = random_values(columns, seed + 2);
    for (const float value : random_values(rows * columns, seed, bound)) {
      in.push_back(value + offset);
    }
  }
  // In memory that is not aligned to a register.
  Values fast() const {
    Values own(in.size() + 1), out(in.size() + 1);
    std::copy(in.begin(), in.end(), own.begin() + 1);
    layer_norm(own.data() + 1, gain.data(), bias.data(), out.data() + 1, rows, columns, kEpsilon);
    return {out.begin() + 1, out.end()};
  }
  Values reference() const {
    Values out(in.size());
    layer_norm_reference(in.data(), gain.data(), bias.data(), out.data(), rows, columns, kEpsilon);
    return out;
  }

  std::size_t rows, columns;
  Values in, gain, bias;
};

void expect_close(const Values& got, const Values& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], tolerance) << i;
  }
}

// One column, below a register, whole registers, all kinds of tails.
constexpr std::size_t kNormColumns[] = {1,  2,  7,  15,  16,  17,   31,   33,  63,
                                        64, 65, 80, 127, 256, 1000, 1024, 2500};

// Values of about one: the sums' roundings and a few more.
TEST(LayerNorm, MatchesPlainLoops) {
  for (const std::size_t columns : kNormColumns) {
    SCOPED_TRACE(columns);
    const Rows rows(5, columns);
    expect_close(rows.fast(), rows.reference(), 2e-6);
  }
}

// A mean 10,000 times the deviation: in single precision it is off by 5e-4 of the deviation at
// least, if nothing makes up for it. What is left is the rounding of the reciprocal root.
TEST(LayerNorm, KeepsWhatALargeMeanWouldHide) {
  for (const float offset : {1e4F, -1e4F, 16777216.0F / 64}) {
    const Rows rows(3, 1000, 2, offset);
    expect_close(rows.fast(), rows.reference(), 3e-6);
  }
}

TEST(LayerNorm, WorksInPlace) {
  for (const std::size_t columns : kNormColumns) {
    const Rows rows(3, columns);
    Values own = rows.in, out(own.size());
    layer_norm(rows.in.data(), rows.gain.data(), rows.bias.data(), out.data(), 3, columns,
               kEpsilon);
    layer_norm(own.data(), rows.gain.data(), rows.bias.data(), own.data(), 3, columns, kEpsilon);
    EXPECT_EQ(own, out) << columns;
  }
}

TEST(LayerNorm, IsTheSameOnAnyThreads) {
  for (const std::size_t count : {1, 2, 37}) {
    const Rows rows(count, 131);
    expect_same_on_any_threads([&] { return rows.fast(); });
  }
}

TEST(LayerNorm, WritesNothingButTheRows) {
  const Rows rows(2, 19);
  Values out(2 * 19 + 1, 5);
  layer_norm(rows.in.data(), rows.gain.data(), rows.bias.data(), out.data(), 2, 19, kEpsilon);
  EXPECT_EQ(out.back(), 5);
  layer_norm(rows.in.data(), rows.gain.data(), rows.bias.data(), &out.back(), 0, 19, kEpsilon);
  layer_norm(rows.in.data(), rows.gain.data(), rows.bias.data(), &out.back(), 3, 0, kEpsilon);
  EXPECT_EQ(out.back(), 5);
}

// Then nothing but the bias is left, whatever the value.
TEST(LayerNorm, EqualValuesLeaveTheBias) {
  for (const float value : {0.0F, 0.1F, -3.3e5F, 1e7F}) {
    for (const std::size_t columns : {1, 5, 64, 1000}) {
      Rows rows(2, columns);
      rows.in.assign(2 * columns, value);
      const Values out = rows.fast();
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_NEAR(out[i], rows.bias[i % columns], 1e-5) << value << " at " << i;
      }
    }
  }
}

TEST(LayerNorm, ANaNAndAnInfinityStayInTheirRow) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const std::size_t place : {0, 30, 49}) {
      Rows rows(3, 50);
      rows.in[50 + place] = bad;
      const Values out = rows.fast();
      for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(std::isnan(out[i]), i / 50 == 1) << i;
      }
    }
  }
}

TEST(LayerNormReference, GivesKnownValues) {
  // Mean 2, variance 4 without the epsilon of 5 under the root: deviation 3.
  const Values in = {0, 4, 0, 4}, gain = {3, 3, 6, 6}, bias = {0, 0, 1, 1};
  Values out(4);
  layer_norm_reference(in.data(), gain.data(), bias.data(), out.data(), 1, 4, 5);
  EXPECT_EQ(out, (Values{-2, 2, -3, 5}));
}

}  // namespace
}  // namespace perf::workloads
