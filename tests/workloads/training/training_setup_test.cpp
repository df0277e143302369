#include "workloads/training/training_setup.h"

#include <gtest/gtest.h>

namespace perf::workloads {
namespace {

TrainingSetup two_layers() {
  TrainingSetup setup;
  setup.shape = {.layers = 2,
                 .hidden = 8,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_size = 4,
                 .intermediate = 12,
                 .vocabulary = 11};
  setup.batch = 3;
  setup.length = 5;
  return setup;
}

TEST(TrainingSetup, TrainsTheWholeModelWithoutARank) {
  const TrainingSetup setup = two_layers();
  EXPECT_TRUE(setup.trains_all());
  // A layer: two norms, q, k and v (32 outputs) with their bias, o, then gate, up and down; the
  // embedding and the last norm.
  const std::size_t layer = 2 * 8 + 32 * (8 + 1) + 8 * 16 + 3 * 12 * 8;
  EXPECT_EQ(setup.trained_parameters(), 11 * 8 + 2 * layer + 8);
}

TEST(TrainingSetup, TrainsAdaptersOnlyWithOne) {
  TrainingSetup setup = two_layers();
  setup.lora.rank = 3;  // beside q (16x8) and v (8x8)
  EXPECT_FALSE(setup.trains_all());
  EXPECT_EQ(setup.trained_parameters(), 2U * 3 * (16 + 8 + 8 + 8));
  setup.lora.layers = {false, true};
  EXPECT_EQ(setup.trained_parameters(), 3U * (16 + 8 + 8 + 8));
}

TEST(TrainingSetup, HasTheRowsThatAttentionSees) {
  const QkvRows rows = qkv_rows(two_layers());
  EXPECT_EQ(rows.sequences, 3U);
  EXPECT_EQ(rows.length, 5U);
  EXPECT_EQ(rows.rows(), two_layers().rows());
  EXPECT_EQ(rows.query_width(), 16U);
  EXPECT_EQ(rows.kv_width(), 8U);
  EXPECT_EQ(rows.width(), two_layers().shape.qkv_width());
}

}  // namespace
}  // namespace perf::workloads
