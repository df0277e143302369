#include "workloads/inference/decoder.h"

#include <gtest/gtest.h>
#include <omp.h>

#include "workloads/inference/decoder_reference.h"
#include "workloads/inference/generation_check.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {
namespace {

constexpr DecoderShape kSmall{.layers = 3,
                              .hidden = 48,
                              .heads = 6,
                              .kv_heads = 2,
                              .intermediate = 80,
                              .vocabulary = 301,
                              .context = 40};
const std::vector<int> kTokens = {5, 300, 0, 17, 17, 42, 123, 7, 250, 9};

TEST(Decoder, PrefillMatchesReference) {
  for (const Backend backend : {Backend::openblas, Backend::eigen}) {
    Decoder decoder(kSmall, backend, omp_get_max_threads(), 1);
    const float* logits = decoder.advance(kTokens.data(), kTokens.size());
    const std::vector<double> want = reference_logits(decoder, kTokens);
    EXPECT_LT(largest_relative_error(logits, want.data(), want.size()), 5e-6);
  }
}

TEST(Decoder, TokenByTokenMatchesReference) {
  Decoder decoder(kSmall, Backend::openblas, omp_get_max_threads(), 1);
  std::vector<int> so_far;
  for (const int token : kTokens) {
    so_far.push_back(token);
    const float* logits = decoder.advance(&token, 1);
    const std::vector<double> want = reference_logits(decoder, so_far);
    EXPECT_LT(largest_relative_error(logits, want.data(), want.size()), 5e-6);
  }
}

TEST(Decoder, ResetForgets) {
  Decoder decoder(kSmall, Backend::openblas, omp_get_max_threads(), 1);
  const float* logits = decoder.advance(kTokens.data(), 3);
  const std::vector<float> first(logits, logits + kSmall.tokens());
  decoder.advance(kTokens.data(), kTokens.size());
  decoder.reset();
  logits = decoder.advance(kTokens.data(), 3);
  EXPECT_EQ(first, std::vector<float>(logits, logits + kSmall.tokens()));
}

TEST(Decoder, ChecksPassWhatIsRightAndFailWhatIsNot) {
  Decoder decoder(kSmall, Backend::openblas, omp_get_max_threads(), 1);
  EXPECT_LT(logit_error(decoder, kTokens), kLogitTolerance);
  decoder.reset();
  decoder.advance(kTokens.data(), kTokens.size() - 1);
  const float* logits = decoder.advance(&kTokens.back(), 1);
  std::vector<float> decoded(logits, logits + kSmall.tokens());
  EXPECT_LT(cache_error(decoder, kTokens, decoded), kLogitTolerance);
  decoded[8] += 0.01F;
  EXPECT_GT(cache_error(decoder, kTokens, decoded), kLogitTolerance);
}

TEST(Decoder, ChecksFailACacheInDisorder) {
  Decoder decoder(kSmall, Backend::openblas, omp_get_max_threads(), 1);
  decoder.advance(kTokens.data(), kTokens.size() - 1);
  std::swap(decoder.layers()[1].keys[0], decoder.layers()[1].keys[kSmall.head_size()]);
  const float* logits = decoder.advance(&kTokens.back(), 1);
  const std::vector<float> decoded(logits, logits + kSmall.tokens());
  EXPECT_GT(cache_error(decoder, kTokens, decoded), kLogitTolerance);
}

TEST(DecoderShape, CountsParametersAndCache) {
  EXPECT_EQ(kSmall.parameters(),
            301U * 48 + 48 + 3 * (2 * 48 + (48 + 2 * 16) * 48 + 48 * 48 + 3 * 80 * 48));
  // layers x 2 x key-value heads x positions x head size x 4 bytes
  EXPECT_EQ(kSmall.cache_bytes(), 3U * 2 * 2 * 40 * 8 * 4);
}

}  // namespace
}  // namespace perf::workloads
