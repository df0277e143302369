#include "workloads/kernels/attention.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "tests/workloads/kernels/exact_attention.h"
#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {
namespace {

struct Case {
  QkvRows rows;
  bool causal = false;
};

// How GoogleTest names a case when a test fails.
void PrintTo(const Case& it, std::ostream* out) {
  *out << it.rows.sequences << " x " << it.rows.length << ", heads " << it.rows.heads << "/"
       << it.rows.kv_heads << " of " << it.rows.size << (it.causal ? ", causal" : "");
}

template <class Attention>
std::vector<float> pass(const Case& it, const std::vector<float>& qkv) {
  Ledger counted;
  Attention(it.rows, it.causal, counted);
  Ledger memory(counted);
  std::vector<float> out(it.rows.rows() * it.rows.query_width(), NAN);
  Attention(it.rows, it.causal, memory).forward(qkv.data(), out.data());
  return out;
}

std::vector<float> values_for(const Case& it, float bound = 2) {
  return random_values(it.rows.rows() * it.rows.width(), 1, bound);
}

std::vector<float> reference(const Case& it, const std::vector<float>& qkv) {
  std::vector<float> out(it.rows.rows() * it.rows.query_width(), NAN);
  attention_reference(it.rows, it.causal, qkv.data(), out.data());
  return out;
}

double error(const std::vector<float>& got, const std::vector<float>& want) {
  EXPECT_EQ(got.size(), want.size());
  return largest_relative_error(got.data(), want.data(), want.size());
}

// Scores are sums of S products of values up to 2, so up to 4 S / sqrt(S) = 45, rounded to 2^-24 of
// that each time: e^score is off by some 1e-6 relative.
constexpr double kTolerance = 1e-5;

class AttentionCases : public testing::TestWithParam<Case> {};

TEST_P(AttentionCases, MatchTheReference) {
  const std::vector<float> qkv = values_for(GetParam());
  const std::vector<float> want = reference(GetParam(), qkv);
  EXPECT_LT(error(pass<TiledAttention>(GetParam(), qkv), want), kTolerance);
  EXPECT_LT(error(pass<NaiveAttention>(GetParam(), qkv), want), kTolerance);
}

TEST_P(AttentionCases, DoNotDependOnTheNumberOfThreads) {
  const std::vector<float> qkv = values_for(GetParam());
  expect_same_on_any_threads([&] { return pass<TiledAttention>(GetParam(), qkv); });
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const bool causal : {false, true}) {
    for (const QkvRows& rows : {
             QkvRows{.sequences = 1, .length = 1, .heads = 1, .kv_heads = 1, .size = 2},
             QkvRows{.sequences = 3, .length = 1, .heads = 2, .kv_heads = 1, .size = 64},
             QkvRows{.sequences = 2, .length = 7, .heads = 3, .kv_heads = 3, .size = 5},
             QkvRows{.sequences = 1, .length = 63, .heads = 2, .kv_heads = 2, .size = 32},
             QkvRows{.sequences = 1, .length = 64, .heads = 2, .kv_heads = 1, .size = 64},
             QkvRows{.sequences = 2, .length = 65, .heads = 4, .kv_heads = 2, .size = 80},
             QkvRows{.sequences = 1, .length = 200, .heads = 14, .kv_heads = 2, .size = 64},
             QkvRows{.sequences = 2, .length = 191, .heads = 3, .kv_heads = 1, .size = 128},
         }) {
      all.push_back({rows, causal});
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Shapes, AttentionCases, testing::ValuesIn(cases()));

TEST(AttentionReference, IsTheDefinition) {
  const Case it{{.sequences = 2, .length = 9, .heads = 4, .kv_heads = 2, .size = 6}, true};
  const std::vector<float> qkv = values_for(it);
  std::vector<double> log_sums;
  const auto want = ExactAttention(it.rows).forward(widened(qkv), &log_sums);
  const std::vector<float> got = reference(it, qkv);
  EXPECT_LT(largest_relative_error(got.data(), want.data(), want.size()), 1e-7);
  // Not causal, a row sees what the last one does where it asks the same.
  std::vector<float> same = qkv;
  for (std::size_t row = 0; row < it.rows.rows(); ++row) {
    std::copy_n(qkv.begin(), it.rows.query_width(),
                same.begin() + static_cast<std::ptrdiff_t>(row * it.rows.width()));
  }
  const std::vector<float> causal = reference(it, same);
  const std::vector<float> open = reference({it.rows, false}, same);
  for (std::size_t row = 0; row < it.rows.rows(); ++row) {
    for (std::size_t i = 0; i < it.rows.query_width(); ++i) {
      const std::size_t last = row / it.rows.length * it.rows.length + it.rows.length - 1;
      const std::size_t width = it.rows.query_width();
      EXPECT_EQ(open[row * width + i], causal[last * width + i]);
    }
  }
}

TEST(AttentionReference, TouchesOnlyTheRowsItIsAskedFor) {
  const Case it{{.sequences = 2, .length = 9, .heads = 1, .kv_heads = 1, .size = 2}, true};
  const std::vector<float> qkv = values_for(it), all = reference(it, qkv);
  std::vector<float> some(all.size(), -7);
  attention_reference(it.rows, it.causal, qkv.data(), some.data(), 3, 5);
  for (std::size_t row = 0; row < it.rows.rows(); ++row) {
    EXPECT_EQ(some[2 * row], row % 5 == 3 ? all[2 * row] : -7) << row;
  }
}

// Scores of some 10^4 overflow a plain exponential; their softmax is all but one-hot. Tiles of
// which each has a larger one than those before, or a smaller one, must be weighed against each
// other.
TEST(Attention, WorksForScoresOfAnySize) {
  for (const bool causal : {false, true}) {
    for (const float growth : {100.0F, -100.0F}) {
      const Case it{{.sequences = 1, .length = 200, .heads = 2, .kv_heads = 1, .size = 64}, causal};
      std::vector<float> qkv = values_for(it, 1);
      for (std::size_t row = 0; row < it.rows.rows(); ++row) {
        for (std::size_t i = 0; i < it.rows.query_width() + it.rows.size; ++i) {
          qkv[row * it.rows.width() + i] =
              (i < it.rows.query_width() ? growth : static_cast<float>(row)) *
              std::abs(qkv[row * it.rows.width() + i]);
        }
      }
      const std::vector<float> want = reference(it, qkv);
      // A score of 4e4 is known to 4e4 * 2^-24 * a few = 1e-2.
      EXPECT_LT(error(pass<TiledAttention>(it, qkv), want), 2e-2) << growth;
      EXPECT_LT(error(pass<NaiveAttention>(it, qkv), want), 2e-2) << growth;
    }
  }
}

// A key that is not seen weighs nothing, whatever its score and value are.
TEST(Attention, LeavesTheFutureOut) {
  const Case it{{.sequences = 1, .length = 130, .heads = 2, .kv_heads = 1, .size = 8}, true};
  constexpr std::size_t kPresent = 70;
  std::vector<float> qkv = values_for(it);
  std::vector<float> before = pass<TiledAttention>(it, qkv);
  for (std::size_t i = kPresent * it.rows.width(); i < qkv.size(); ++i) {
    qkv[i] *= 1e35F;
  }
  std::vector<float> after = pass<TiledAttention>(it, qkv);
  before.resize(kPresent * it.rows.query_width());
  after.resize(before.size());
  EXPECT_EQ(before, after);
}

TEST(Attention, PassesNaNOnToItsRowAlone) {
  for (const bool causal : {false, true}) {
    const Case it{{.sequences = 1, .length = 100, .heads = 1, .kv_heads = 1, .size = 16}, causal};
    std::vector<float> qkv = values_for(it);
    qkv[40 * it.rows.width() + 3] = NAN;
    const std::vector<float> got = pass<TiledAttention>(it, qkv);
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(std::isnan(got[i]), i / it.rows.size == 40) << i;
    }
  }
}

TEST(Attention, TakesTheWorkspaceItsHeaderSays) {
  const QkvRows shape{.sequences = 2, .length = 100, .heads = 4, .kv_heads = 2, .size = 40};
  const std::size_t length = 128, size = 64;
  Ledger tiled, naive;
  TiledAttention(shape, false, tiled);
  NaiveAttention(shape, false, naive);
  EXPECT_EQ(tiled.bytes(Purpose::workspace), sizeof(float) *
                                                 static_cast<std::size_t>(omp_get_max_threads()) *
                                                 (2 * length * size + 192 * size + 4288));
  EXPECT_EQ(naive.bytes(Purpose::workspace), sizeof(float) * 100 * 100);
}

TEST(Attention, CountsTheProductsOfPairsThatSeeEachOther) {
  // Two products, 2 operations for each of 4 values, 5 heads, 2 sequences.
  const QkvRows shape{.sequences = 2, .length = 3, .heads = 5, .kv_heads = 1, .size = 4};
  EXPECT_EQ(attention_operations(shape, false), 9 * 2 * 8 * 5 * 2);
  EXPECT_EQ(attention_operations(shape, true), 6 * 2 * 8 * 5 * 2);
}

}  // namespace
}  // namespace perf::workloads
