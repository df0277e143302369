#include "workloads/kernels/cached_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <stdexcept>

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {
namespace {

struct Case {
  QkvRows rows;
  std::size_t start = 0, capacity = 0;
};

// How GoogleTest names a case when a test fails.
void PrintTo(const Case& it, std::ostream* out) {
  *out << it.rows.sequences << " x " << it.rows.length << " from " << it.start << ", heads "
       << it.rows.heads << "/" << it.rows.kv_heads << " of " << it.rows.size << ", capacity "
       << it.capacity;
}

// One call: what lies in the cache past the last position is NaN.
struct Call {
  explicit Call(const Case& it, DType dtype)
      : rows(it.rows),
        start(it.start),
        memory(counted(it, dtype)),
        cache(take(it, dtype, memory)),
        attention(it.rows, it.capacity, memory),
        qkv(random_values(rows.rows() * rows.width(), 1, 2)) {
    fill_cache();
  }

  static KvCache take(const Case& it, DType dtype, Ledger& memory) {
    return KvCache::take(dtype, it.rows.sequences, it.rows.kv_heads, it.capacity, it.rows.size,
                         memory);
  }
  static Ledger counted(const Case& it, DType dtype) {
    Ledger count;
    take(it, dtype, count);
    CachedAttention(it.rows, it.capacity, count);
    return Ledger(count);
  }

  void fill_cache() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const QkvRows all{rows.sequences, cache.capacity, rows.heads, rows.kv_heads, rows.size};
    const QkvRows held{rows.sequences, start + rows.length, rows.heads, rows.kv_heads, rows.size};
    store_keys_values(all, std::vector<float>(all.rows() * all.width(), nan).data(), 0, cache);
    store_keys_values(held, random_values(held.rows() * held.width(), 2, 2).data(), 0, cache);
  }

  std::vector<float> out(bool causal) {
    std::vector<float> result(rows.rows() * rows.query_width());
    attention.forward(rows, qkv.data(), start, cache, causal, result.data());
    return result;
  }
  std::vector<float> want(bool causal) const {
    std::vector<float> result(rows.rows() * rows.query_width());
    cached_attention_reference(rows, qkv.data(), start, cache, causal, result.data());
    return result;
  }

  QkvRows rows;
  std::size_t start;
  Ledger memory;
  KvCache cache;
  CachedAttention attention;
  std::vector<float> qkv;
};

// Scores are sums of S products of values up to 2, so up to 4 S / sqrt(S) = 45, rounded to 2^-24 of
// that each time: e^score is off by some 1e-6 relative.
constexpr double kTolerance = 1e-5;

class CachedAttentionCases : public testing::TestWithParam<Case> {};

TEST_P(CachedAttentionCases, MatchTheReference) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const bool causal : {true, false}) {
      Call call(GetParam(), dtype);
      const std::vector<float> got = call.out(causal), want = call.want(causal);
      EXPECT_LT(largest_relative_error(got.data(), want.data(), want.size()), kTolerance)
          << name_of(dtype) << (causal ? ", causal" : ", not causal");
    }
  }
}

TEST_P(CachedAttentionCases, DoNotDependOnTheNumberOfThreads) {
  expect_same_on_any_threads([] { return Call(GetParam(), DType::fp16).out(true); });
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, CachedAttentionCases,
    testing::Values(
        // One new row a sequence: parts of 256 positions, and their borders.
        Case{{.sequences = 1, .length = 1, .heads = 14, .kv_heads = 2, .size = 64}, 0, 1},
        Case{{.sequences = 1, .length = 1, .heads = 14, .kv_heads = 2, .size = 64}, 255, 300},
        Case{{.sequences = 1, .length = 1, .heads = 14, .kv_heads = 2, .size = 64}, 256, 300},
        Case{{.sequences = 3, .length = 1, .heads = 14, .kv_heads = 2, .size = 64}, 700, 1000},
        Case{{.sequences = 2, .length = 1, .heads = 3, .kv_heads = 3, .size = 32}, 65, 66},
        Case{{.sequences = 2, .length = 1, .heads = 9, .kv_heads = 1, .size = 10}, 31, 40},
        // A few rows, which do not see all parts.
        Case{{.sequences = 2, .length = 8, .heads = 4, .kv_heads = 2, .size = 48}, 252, 260},
        Case{{.sequences = 1, .length = 30, .heads = 2, .kv_heads = 1, .size = 64}, 500, 600},
        // Many: whole prompts, and pieces of them.
        Case{{.sequences = 1, .length = 200, .heads = 14, .kv_heads = 2, .size = 64}, 0, 200},
        Case{{.sequences = 1, .length = 67, .heads = 14, .kv_heads = 2, .size = 64}, 131, 256},
        Case{{.sequences = 3, .length = 65, .heads = 4, .kv_heads = 4, .size = 16}, 0, 80},
        Case{{.sequences = 2, .length = 129, .heads = 6, .kv_heads = 2, .size = 80}, 63, 192},
        Case{{.sequences = 1, .length = 300, .heads = 1, .kv_heads = 1, .size = 128}, 17, 317}));

// A score far below the largest weighs nothing, one far above hides the others: the parts' largest
// scores are what this could overflow.
TEST(CachedAttention, WorksForScoresOfAnySize) {
  const Case it{{.sequences = 1, .length = 1, .heads = 2, .kv_heads = 1, .size = 64}, 600, 601};
  Call call(it, DType::fp32);
  auto* keys = reinterpret_cast<float*>(call.cache.keys);
  for (std::size_t i = 0; i < it.rows.size; ++i) {
    keys[300 * it.rows.size + i] = 1000 * call.qkv[i];
    keys[10 * it.rows.size + i] = -1000 * call.qkv[i];
  }
  const std::vector<float> got = call.out(true), want = call.want(true);
  EXPECT_LT(largest_relative_error(got.data(), want.data(), want.size()), kTolerance);
}

// What a query may not see weighs nothing, whatever its score is: e^-87 of a large value would
// show.
TEST(CachedAttention, LeavesTheFutureOut) {
  const Case it{{.sequences = 1, .length = 8, .heads = 4, .kv_heads = 2, .size = 32}, 60, 68};
  Call call(it, DType::fp32);
  const std::vector<float> want = call.out(true);
  for (std::size_t head = 0; head < it.rows.kv_heads; ++head) {
    for (std::size_t i = 0; i < it.rows.size; ++i) {
      const std::size_t last = call.cache.offset(0, head) + 67 * it.rows.size + i;
      reinterpret_cast<float*>(call.cache.keys)[last] = std::numeric_limits<float>::quiet_NaN();
      reinterpret_cast<float*>(call.cache.values)[last] = std::numeric_limits<float>::max();
    }
  }
  const std::vector<float> got = call.out(true);
  const auto before = static_cast<std::ptrdiff_t>(7 * it.rows.query_width());
  EXPECT_EQ(std::vector<float>(got.begin(), got.begin() + before),
            std::vector<float>(want.begin(), want.begin() + before));
  EXPECT_TRUE(std::isnan(got.back()));
}

// A prompt in two pieces and in one.
TEST(CachedAttention, GivesInPiecesWhatItGivesInOne) {
  const QkvRows whole{.sequences = 1, .length = 150, .heads = 4, .kv_heads = 2, .size = 32};
  const QkvRows piece{.sequences = 1, .length = 90, .heads = 4, .kv_heads = 2, .size = 32};
  Call one({whole, 0, 150}, DType::bf16);
  const std::vector<float> want = one.out(true);
  std::vector<float> got(piece.rows() * piece.query_width());
  one.attention.forward(piece, one.qkv.data() + 60 * whole.width(), 60, one.cache, true,
                        got.data());
  EXPECT_LT(largest_relative_error(got.data(), want.data() + 60 * whole.query_width(), got.size()),
            kTolerance);
}

TEST(CachedAttention, RefusesWhatItWasNotMadeFor) {
  const Case it{{.sequences = 1, .length = 4, .heads = 4, .kv_heads = 2, .size = 32}, 0, 8};
  Call call(it, DType::fp32);
  std::vector<float> out(1000);
  const auto refuses = [&](QkvRows rows, std::size_t start) {
    EXPECT_THROW(call.attention.forward(rows, call.qkv.data(), start, call.cache, true, out.data()),
                 std::logic_error);
  };
  refuses(it.rows, 5);
  refuses({.sequences = 1, .length = 5, .heads = 4, .kv_heads = 2, .size = 32}, 0);
  refuses({.sequences = 1, .length = 4, .heads = 2, .kv_heads = 2, .size = 32}, 0);
}

}  // namespace
}  // namespace perf::workloads
