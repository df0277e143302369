#include "workloads/reference/decoder_forward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "workloads/model/initial_weights.h"

namespace perf::workloads::reference {
namespace {

constexpr ModelShape kShape{.layers = 2,
                            .hidden = 12,
                            .heads = 4,
                            .kv_heads = 2,
                            .head_size = 6,
                            .intermediate = 10,
                            .vocabulary = 17,
                            .rope_theta = 100};

std::vector<double> random_parameters() {
  std::vector<float> values(kShape.parameters());
  fill_initial_weights(kShape, 5, values.data());
  return {values.begin(), values.end()};
}

std::vector<double> row(const std::vector<double>& logits, std::size_t position) {
  const auto first = logits.begin() + static_cast<std::ptrdiff_t>(position * kShape.tokens());
  return {first, first + static_cast<std::ptrdiff_t>(kShape.tokens())};
}

// One layer of width 2 with an MLP of one unit that is 0: the arithmetic can be followed on paper.
TEST(DecoderForward, ComputesAModelThatIsDoneByHand) {
  const ModelShape shape{.layers = 1,
                         .hidden = 2,
                         .heads = 1,
                         .kv_heads = 1,
                         .head_size = 2,
                         .intermediate = 1,
                         .vocabulary = 2,
                         .rope_theta = 1e4,
                         .norm_epsilon = 0};
  std::vector<double> parameters = {3, 4, 4, 3};  // the embedding
  const auto add = [&](std::vector<double> values) {
    parameters.insert(parameters.end(), values.begin(), values.end());
  };
  add({1, 1});                // attention norm
  add({0, 0, 0, 0});          // queries come from the bias alone,
  add({0, 0, 0, 0});          // and so do keys
  add({1, 0, 0, 1});          // values are what was normed
  add({2, 0, 0.5, 0, 0, 0});  // biases of q, k, v
  add({1, 0, 0, 1});          // o
  add({1, 1});                // MLP's norm
  add({0, 0, 0, 0});          // gate, up
  add({0, 0});                // down
  add({2, 1});                // final norm
  const std::vector<double> got = decoder_logits(shape, parameters, {0, 1});

  // After the first token: x = (3,4), normed (3,4)/rms with rms = sqrt(12.5); attention gives it as
  // it is.
  const double rms = std::sqrt(12.5);
  const auto logits = [&](double x, double y) {
    const double norm = std::sqrt((x * x + y * y) / 2);
    return std::vector<double>{(3 * 2 * x + 4 * y) / norm, (4 * 2 * x + 3 * y) / norm};
  };
  const std::vector<double> first = logits(3 + 3 / rms, 4 + 4 / rms);
  EXPECT_NEAR(got[0], first[0], 1e-12);
  EXPECT_NEAR(got[1], first[1], 1e-12);
  // The second query is turned by 1 rad, the second key, too; the first key by none.
  const double far = 1.0 * std::cos(1.0) / std::sqrt(2.0), near = 1.0 / std::sqrt(2.0);
  const double share = std::exp(far) / (std::exp(far) + std::exp(near));
  const std::vector<double> second =
      logits(4 + (share * 3 + (1 - share) * 4) / rms, 3 + (share * 4 + (1 - share) * 3) / rms);
  EXPECT_NEAR(got[2], second[0], 1e-12);
  EXPECT_NEAR(got[3], second[1], 1e-12);
}

TEST(DecoderForward, APositionSeesThoseBeforeItOnly) {
  const std::vector<double> parameters = random_parameters();
  const std::vector<double> one = decoder_logits(kShape, parameters, {1, 2, 3, 4});
  const std::vector<double> other = decoder_logits(kShape, parameters, {1, 2, 3, 9});
  for (const std::size_t position : {0, 1, 2}) {
    EXPECT_EQ(row(one, position), row(other, position));
  }
  EXPECT_NE(row(one, 3), row(other, 3));
}

TEST(DecoderForward, WithoutCausalityAPositionSeesAll) {
  const std::vector<double> parameters = random_parameters();
  const std::vector<double> one = decoder_logits(kShape, parameters, {1, 2, 3, 4}, false);
  const std::vector<double> other = decoder_logits(kShape, parameters, {1, 2, 3, 9}, false);
  for (const std::size_t position : {0, 1, 2}) {
    EXPECT_NE(row(one, position), row(other, position));
  }
  // The last one saw all as it was.
  const std::vector<double> causal = decoder_logits(kShape, parameters, {7}, true);
  EXPECT_EQ(causal, decoder_logits(kShape, parameters, {7}, false));
}

TEST(DecoderForward, PerplexityIsThatOfTheTokensThatFollow) {
  // Of two tokens: 1/2 each, then 1/4 and 3/4; the last row predicts nothing.
  const std::vector<double> logits = {0, 0, 0, std::log(3.0), 5, 6};
  EXPECT_NEAR(perplexity(logits, {0, 1, 0}), std::sqrt(2.0 * 4.0), 1e-12);
  EXPECT_THROW(perplexity({0, 0}, {1}), std::invalid_argument);
}

TEST(DecoderForward, RefusesWhatDoesNotFit) {
  EXPECT_THROW(decoder_logits(kShape, std::vector<double>(3), {1}), std::invalid_argument);
  EXPECT_THROW(decoder_logits(kShape, random_parameters(), {17}), std::invalid_argument);
}

}  // namespace
}  // namespace perf::workloads::reference
