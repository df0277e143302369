#include <gtest/gtest.h>

#include <vector>

#include "workloads/model/initial_weights.h"
#include "workloads/reference/decoder_forward.h"
#include "workloads/training/decoder_reference.h"

namespace perf::workloads {
namespace {

// Finite differences cannot see a formula that is wrong both ways. The inference workloads have
// plain loops of their own, which share no code with training's.
TEST(DecoderReference, LogitsAgreeWithTheInferenceWorkloads) {
  TrainingSetup setup;
  setup.shape = {.layers = 2,
                 .hidden = 24,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_size = 6,
                 .intermediate = 20,
                 .vocabulary = 30,
                 .rope_theta = 1e4};
  setup.length = 8;
  std::vector<float> values(setup.shape.parameters());
  fill_initial_weights(setup.shape, 3, values.data());
  const std::vector<double> parameters(values.begin(), values.end());
  const std::vector<int> tokens = {3, 29, 0, 3, 17, 8, 11, 2};
  DecoderReference reference(setup, parameters, {}, tokens, tokens);
  reference.forward();
  const std::vector<double> expected = reference::decoder_logits(setup.shape, parameters, tokens);
  ASSERT_EQ(reference.logits().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(reference.logits()[i], expected[i], 1e-12) << i;
  }
}

}  // namespace
}  // namespace perf::workloads
