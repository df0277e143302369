#include "workloads/kernels/kv_cache.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/workloads/typed_values.h"

namespace perf::workloads {
namespace {

// A cache in memory of its own.
struct Kept {
  Kept(DType dtype, std::size_t sequences, std::size_t kv_heads, std::size_t capacity,
       std::size_t size)
      : memory(counted(dtype, sequences, kv_heads, capacity, size)),
        cache(KvCache::take(dtype, sequences, kv_heads, capacity, size, memory)) {}
  static Ledger counted(DType dtype, std::size_t sequences, std::size_t kv_heads,
                        std::size_t capacity, std::size_t size) {
    Ledger count;
    KvCache::take(dtype, sequences, kv_heads, capacity, size, count);
    return Ledger(count);
  }
  Ledger memory;
  KvCache cache;
};

TEST(KvCache, TakesTwoValuesForEachPositionOfAHead) {
  const Kept kept(DType::fp16, 2, 3, 32, 64);
  EXPECT_EQ(kept.cache.bytes(), 2U * 2 * 3 * 32 * 64 * 2);
  EXPECT_EQ(kept.memory.bytes(Purpose::kv_cache), kept.cache.bytes());
  EXPECT_EQ(kept.memory.total(), kept.cache.bytes());
}

template <class T>
class KvCacheOf : public testing::Test {};
TYPED_TEST_SUITE(KvCacheOf, StorageTypes);

TYPED_TEST(KvCacheOf, HoldsKeysAndValuesAtTheirPositionsAndNothingElse) {
  constexpr std::size_t kSequences = 2, kHeads = 2, kCapacity = 7, kSize = 6, kStart = 3;
  const QkvRows rows{
      .sequences = kSequences, .length = 3, .heads = 4, .kv_heads = kHeads, .size = kSize};
  Kept kept(kDType<TypeParam>, kSequences, kHeads, kCapacity, kSize);
  const std::vector<float> qkv = random_values(rows.rows() * rows.width(), 1, 3);
  store_keys_values(rows, qkv.data(), kStart, kept.cache);
  const auto* keys = reinterpret_cast<const TypeParam*>(kept.cache.keys);
  const auto* values = reinterpret_cast<const TypeParam*>(kept.cache.values);
  for (std::size_t sequence = 0; sequence < kSequences; ++sequence) {
    for (std::size_t head = 0; head < kHeads; ++head) {
      for (std::size_t position = 0; position < kCapacity; ++position) {
        for (std::size_t i = 0; i < kSize; ++i) {
          const std::size_t at = ((sequence * kHeads + head) * kCapacity + position) * kSize + i;
          const bool stored = position >= kStart && position < kStart + rows.length;
          const std::size_t from = (sequence * rows.length + position - kStart) * rows.width() +
                                   4 * kSize + head * kSize + i;
          EXPECT_EQ(widen(keys[at]), stored ? widen(narrow<TypeParam>(qkv[from])) : 0.0F);
          EXPECT_EQ(widen(values[at]),
                    stored ? widen(narrow<TypeParam>(qkv[from + kHeads * kSize])) : 0.0F);
        }
      }
    }
  }
}

TEST(KvCache, RefusesRowsThatDoNotFit) {
  Kept kept(DType::fp32, 1, 2, 8, 4);
  const QkvRows rows{.sequences = 1, .length = 3, .heads = 2, .kv_heads = 2, .size = 4};
  const std::vector<float> qkv(2 * rows.rows() * rows.width());
  store_keys_values(rows, qkv.data(), 5, kept.cache);
  const auto refuses = [&](QkvRows other, std::size_t start) {
    EXPECT_THROW(store_keys_values(other, qkv.data(), start, kept.cache), std::logic_error);
  };
  refuses(rows, 6);
  refuses(rows, std::numeric_limits<std::size_t>::max());
  refuses({.sequences = 2, .length = 3, .heads = 2, .kv_heads = 2, .size = 4}, 0);
  refuses({.sequences = 1, .length = 3, .heads = 2, .kv_heads = 1, .size = 4}, 0);
  refuses({.sequences = 1, .length = 3, .heads = 2, .kv_heads = 2, .size = 2}, 0);
}

}  // namespace
}  // namespace perf::workloads
