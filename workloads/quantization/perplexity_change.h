#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/quantize.h"
#include "workloads/model/parameter_source.h"

namespace perf::workloads {

/// A source's parameters as they are read back after quantization: all matrices by one scheme,
/// norms and biases as they were.
class QuantizedParameters : public ParameterSource {
 public:
  QuantizedParameters(const ParameterSource& source, const Scheme& scheme)
      : source_(source), scheme_(scheme) {}
  const ModelShape& shape() const override { return source_.shape(); }
  /// Of a matrix whole rows only: throws std::invalid_argument otherwise.
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override;

 private:
  const ParameterSource& source_;
  Scheme scheme_;
};

/// What quantizing costs the model of the inference workloads: its perplexity of a text, with all
/// matrices quantized by `scheme` and read back, by the perplexity with the weights as they were,
/// less 1. The text is drawn from the unquantized model; at each of its positions the mean is taken
/// over all next tokens, by the probability p that this model gives them, in place of the one that
/// was drawn:
///     exp(mean over positions of the sum over tokens of p (log p - log q)) - 1
/// That is what an endless text would show; a text of some hundred tokens alone would drown the
/// difference between two schemes, and int8's altogether, in chance. Never negative but by
/// rounding. A random model of the Qwen2.5 kind, small enough for every run: it shows how the
/// schemes compare, not what a trained model would lose. By all threads.
double perplexity_change(const Scheme& scheme, std::uint64_t seed);
/// The same of several schemes, over one text.
std::vector<double> perplexity_changes(const std::vector<Scheme>& schemes, std::uint64_t seed);
/// Of any parameters of the same shape as `source`, which the text is drawn from.
double perplexity_change(const ParameterSource& source, const ParameterSource& changed,
                         std::uint64_t seed);

/// The model, its rows long enough for several groups of 128.
ModelShape perplexity_shape();

}  // namespace perf::workloads
