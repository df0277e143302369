#include <gtest/gtest.h>

#include <vector>

#include "workloads/inference/decoder.h"
#include "workloads/inference/decoder_reference.h"
#include "workloads/kernels/decoder_parts.h"
#include "workloads/training/decoder_reference.h"

namespace perf::workloads {
namespace {

// Finite differences cannot see a formula that is wrong both ways. The inference workload has its
// own reference, of the same architecture but for the biases.
TEST(DecoderReference, LogitsAgreeWithTheInferenceWorkloads) {
  const DecoderShape shape{.layers = 2,
                           .hidden = 24,
                           .heads = 4,
                           .kv_heads = 2,
                           .intermediate = 20,
                           .vocabulary = 30,
                           .context = 8};
  const Decoder decoder(shape, Backend::reference, 1, 3);
  TrainingSetup setup;
  setup.shape = {.layers = 2,
                 .hidden = 24,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_size = 6,
                 .intermediate = 20,
                 .vocabulary = 30,
                 .rope_theta = 1e4,
                 .norm_epsilon = kRmsEpsilon};
  setup.length = 8;
  std::vector<double> parameters;
  const auto copy = [&](const float* values, std::size_t count) {
    parameters.insert(parameters.end(), values, values + count);
  };
  const std::size_t width = shape.width(), inner = shape.inner(), qkv = shape.qkv_width();
  copy(decoder.embedding(), shape.tokens() * width);
  for (const DecoderLayer& layer : decoder.layers()) {
    copy(layer.attention_norm, width);
    copy(layer.qkv, qkv * width);
    parameters.resize(parameters.size() + qkv);  // no biases
    copy(layer.out, width * width);
    copy(layer.mlp_norm, width);
    copy(layer.gate_up, 2 * inner * width);
    copy(layer.down, width * inner);
  }
  copy(decoder.final_norm(), width);
  const std::vector<int> tokens = {3, 29, 0, 3, 17, 8, 11, 2};
  DecoderReference reference(setup, parameters, {}, tokens, tokens);
  reference.forward();
  for (const std::size_t last : {std::size_t{0}, std::size_t{4}, std::size_t{7}}) {
    const std::vector<int> start(tokens.begin(), tokens.begin() + static_cast<int>(last) + 1);
    const std::vector<double> expected = reference_logits(decoder, start);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(reference.logits()[last * shape.tokens() + i], expected[i], 1e-12)
          << last << " " << i;
  }
}

}  // namespace
}  // namespace perf::workloads
