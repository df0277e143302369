#include "workloads/kernels/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/workloads/random_values.h"
#include "workloads/micro/attention_check.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/program/error.h"

namespace perf::workloads {
namespace {

// What the checks of micro/attention see: the true results, for a test to spoil.
struct Answered {
  explicit Answered(bool is_causal)
      : causal(is_causal),
        qkv(random_values(shape.rows() * shape.width(), 1, 3)),
        out(shape.rows() * shape.query_width()) {
    Ledger counted;
    TiledAttention(shape, causal, counted);
    Ledger memory(counted);
    TiledAttention(shape, causal, memory).forward(qkv.data(), out.data());
  }
  double error() const { return attention_error(shape, causal, qkv.data(), out.data()); }
  double outside() const { return outside_of_values(shape, causal, qkv.data(), out.data()); }
  float* row(std::size_t index) { return out.data() + index * shape.query_width(); }

  const QkvRows shape{.sequences = 2, .length = 150, .heads = 6, .kv_heads = 3, .size = 16};
  bool causal;
  std::vector<float> qkv, out;
};

TEST(AttentionCheck, PassesWhatIsRight) {
  for (const bool causal : {false, true}) {
    const Answered answered(causal);
    EXPECT_LE(answered.error(), kAttentionTolerance);
    EXPECT_LE(answered.outside(), kAttentionTolerance);
  }
}

// 300 / 16 | 1 = 19: rows 0, 19, .. 285, and the last.
TEST(AttentionCheck, SeesAnErrorInRowsOfEveryHead) {
  for (const std::size_t row : {0, 19, 152, 285, 299}) {
    for (std::size_t head = 0; head < 6; ++head) {
      Answered answered(true);
      answered.row(row)[head * 16 + 5] += 1e-3F;
      EXPECT_GT(answered.error(), kAttentionTolerance) << row << " " << head;
    }
  }
}

TEST(AttentionCheck, SeesThatTheFutureWasSeen) {
  Answered answered(false);
  answered.causal = true;
  EXPECT_GT(answered.error(), kAttentionTolerance);
  EXPECT_GT(answered.outside(), kAttentionTolerance);  // its first row is one value alone
  Answered causal(true);
  causal.causal = false;
  EXPECT_GT(causal.error(), kAttentionTolerance);
}

TEST(AttentionCheck, FindsARowThatIsNotAnAverage) {
  for (const bool causal : {false, true}) {
    for (const std::size_t row : {0, 77, 149, 150, 298})  // none of which the reference computes
    {
      for (const float value : {3.1F, -3.1F, NAN}) {
        Answered answered(causal);
        answered.row(row)[3 * 16] = value;
        EXPECT_FALSE(answered.outside() <= kAttentionTolerance) << row << " " << value;
      }
    }
  }
}

// Each query head by the values of its own key-value head.
TEST(AttentionCheck, SeesValuesOfAnotherHead) {
  Answered answered(false);
  for (std::size_t row = 0; row < answered.shape.rows(); ++row) {
    for (std::size_t i = 0; i < 16; ++i) {
      answered.qkv[(row + 1) * answered.shape.width() - 16 + i] += 100;  // the last one's
    }
  }
  EXPECT_GT(answered.outside(), 0.5);
  EXPECT_GT(answered.error(), kAttentionTolerance);
}

Settings settings(const std::map<std::string, std::string>& given, Size size = Size::smoke) {
  return Settings(all_parameters(micro_attention()), size, given);
}

std::vector<std::string> series_of(const Settings& settings) {
  std::vector<std::string> names;
  for (const Series& one : micro_attention().series(settings)) {
    names.push_back(one.name);
  }
  return names;
}

TEST(MicroAttention, SweepsWhatIsListed) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(series_of(settings({})), (Names{"tiled"}));
  EXPECT_EQ(series_of(settings({}, Size::full)), (Names{"tiled", "tiled_causal"}));
  EXPECT_EQ(series_of(settings({{"causal", "on,off"}, {"variant", "naive,tiled"}})),
            (Names{"naive_causal", "naive", "tiled_causal", "tiled"}));
}

TEST(MicroAttention, RefusesWhatItDoesNotKnow) {
  for (const char* wrong : {"", "yes", "on,on", "on,", ",off", "off on"}) {
    EXPECT_THROW(settings({{"causal", wrong}}), Error) << wrong;
  }
  for (const char* wrong : {"flash", "tiled,tiled", "naive;tiled"}) {
    EXPECT_THROW(settings({{"variant", wrong}}), Error) << wrong;
  }
  EXPECT_THROW(settings({{"seq-len", "0"}}), Error);
  EXPECT_THROW(settings({{"head-size", "0"}}), Error);
}

}  // namespace
}  // namespace perf::workloads
