#include "workloads/inference/generation_check.h"

#include <cmath>

#include "workloads/inference/decoder_reference.h"
#include "workloads/kernels/agreement.h"
#include "workloads/kernels/sampling.h"

namespace perf::workloads {

double logit_error(Decoder& decoder, const std::vector<int>& tokens) {
  decoder.reset();
  decoder.advance(tokens.data(), tokens.size() - 1);
  const float* logits = decoder.advance(&tokens.back(), 1);
  const std::vector<double> want = reference_logits(decoder, tokens);
  return largest_relative_error(logits, want.data(), want.size());
}

double cache_error(Decoder& decoder, const std::vector<int>& tokens,
                   const std::vector<float>& decoded) {
  decoder.reset();
  const float* logits = decoder.advance(tokens.data(), tokens.size());
  return largest_relative_error(decoded.data(), logits, decoded.size());
}

double nucleus_error(const float* logits, std::size_t count, float temperature, float top_p) {
  if (temperature == 0)
    return 0;
  std::vector<float> probabilities(count);
  const Nucleus got = find_nucleus(logits, count, temperature, top_p, probabilities.data());
  const Nucleus want = find_nucleus_reference(logits, count, temperature, top_p);
  const double sizes = static_cast<double>(got.size) - static_cast<double>(want.size);
  if (std::abs(sizes) > 2)
    return 1;
  // One token more or less at the border moves the mass by its own probability.
  const double border = std::abs(sizes) * want.threshold;
  const double difference = std::abs(got.mass - want.mass) - border * (1 + 1e-5);
  return std::fmax(difference, 0) / want.mass;
}

}  // namespace perf::workloads
