#include "workloads/decoder/decoder_check_small.h"

#include <algorithm>
#include <cmath>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

constexpr float kPeaked = 2;  // logits of random models have deviation 1/2
constexpr std::uint32_t kTextStream = 2'000'002;

std::size_t most_probable(const float* logits, std::size_t vocabulary) {
  return static_cast<std::size_t>(std::max_element(logits, logits + vocabulary) - logits);
}

// By inversion, in double precision: the sampler is checked elsewhere.
int drawn(const float* logits, std::size_t vocabulary, double unit) {
  const double largest = *std::max_element(logits, logits + vocabulary);
  std::vector<double> sums(vocabulary);
  double total = 0;
  for (std::size_t i = 0; i < vocabulary; ++i) {
    sums[i] = total += std::exp(logits[i] - largest);
  }
  const auto found = std::upper_bound(sums.begin(), sums.end() - 1, unit * total);
  return static_cast<int>(found - sums.begin());
}

}  // namespace

std::vector<int> Text::sequence(std::size_t index) const {
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(index * length);
  return {begin, begin + static_cast<std::ptrdiff_t>(length)};
}

Text Text::part(std::size_t first, std::size_t count) const {
  Text some{.sequences = sequences, .length = count, .tokens = {}};
  for (std::size_t i = 0; i < sequences; ++i) {
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(i * length + first);
    some.tokens.insert(some.tokens.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return some;
}

void Text::append(const std::vector<int>& next) {
  std::vector<int> longer;
  for (std::size_t i = 0; i < sequences; ++i) {
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(i * length);
    longer.insert(longer.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
    longer.push_back(next[i]);
  }
  tokens = std::move(longer);
  ++length;
}

void SmallParameters::read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                           float* values) const {
  random_.read(tensor, first, count, values);
  if (tensor.name == "model.norm.weight") {
    std::for_each(values, values + count, [](float& gain) { gain *= kPeaked; });
  }
}

std::size_t small_prompt(std::size_t sequences) {
  return sequences == 1 ? 257 : 66;
}

DecoderSetup small_setup(const DecoderSetup& setup) {
  DecoderSetup small = setup;
  small.shape = {.layers = 2,
                 .hidden = 96,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_size = std::min(setup.shape.head_size, 64),
                 .intermediate = 160,
                 .vocabulary = 203,
                 .rope_theta = setup.shape.rope_theta,
                 .norm_epsilon = setup.shape.norm_epsilon,
                 .rope_scaling = setup.shape.rope_scaling,
                 .is_tied = setup.shape.is_tied,
                 .has_qkv_bias = setup.shape.has_qkv_bias};
  small.capacity = small_prompt(setup.sequences) + kSmallGreedy;
  small.most_rows = small.capacity * small.sequences;
  small.logit_rows = std::max<std::size_t>(small.sequences, 32);
  return small;
}

Text draw_text(const DecoderSetup& small, const ParameterSource& source, std::uint64_t seed) {
  DecoderSetup setup = small;
  setup.weights = WeightType::fp32;
  setup.cache = DType::fp32;
  DecoderInMemory model(setup, source);
  const std::uint32_t stream = derived_seed(seed, kTextStream);
  const std::size_t vocabulary = setup.shape.tokens();
  Text text{.sequences = setup.sequences, .length = 0, .tokens = {}};
  std::vector<int> next(setup.sequences);
  std::uint32_t draws = 0;
  for (int& token : next) {
    token = static_cast<int>(random_bits(stream, draws++) % setup.shape.tokens());
  }
  for (;;) {
    text.append(next);
    if (text.length == small_prompt(small.sequences)) {
      return text;
    }
    const float* logits = model.decoder().advance(next.data(), 1);
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = drawn(logits + i * vocabulary, vocabulary, random_unit(stream, draws++));
    }
  }
}

std::vector<float> logits_in_one_piece(Decoder& decoder, const Text& text) {
  const std::size_t vocabulary = decoder.setup().shape.tokens();
  std::vector<float> all(text.tokens.size() * vocabulary);
  decoder.reset();
  decoder.advance_and_visit(text.tokens.data(), text.length,
                            [&](std::size_t row, const float* logits) {
                              std::copy_n(logits, vocabulary, &all[row * vocabulary]);
                            });
  return all;
}

std::vector<float> logits_one_by_one(Decoder& decoder, const Text& text) {
  const std::size_t vocabulary = decoder.setup().shape.tokens();
  std::vector<float> all(text.tokens.size() * vocabulary);
  decoder.reset();
  for (std::size_t position = 0; position < text.length; ++position) {
    const float* logits = decoder.advance(text.part(position, 1).tokens.data(), 1);
    for (std::size_t i = 0; i < text.sequences; ++i) {
      std::copy_n(logits + i * vocabulary, vocabulary,
                  &all[(i * text.length + position) * vocabulary]);
    }
  }
  return all;
}

Text continue_greedily(Decoder& decoder, const Text& text, const float* logits, std::size_t count) {
  const std::size_t vocabulary = decoder.setup().shape.tokens();
  Text longer = text;
  std::vector<int> next(text.sequences);
  for (std::size_t token = 0; token < count; ++token) {
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = static_cast<int>(most_probable(logits + i * vocabulary, vocabulary));
    }
    longer.append(next);
    if (token + 1 < count) {
      logits = decoder.advance(next.data(), 1);
    }
  }
  return longer;
}

ReferenceLogits reference_logits(const ModelShape& shape, const reference::ParameterReader& read,
                                 const Text& text) {
  ReferenceLogits want;
  for (const std::size_t sequence : {std::size_t{0}, text.sequences - 1}) {
    if (!want.sequences.empty() && want.sequences.back() == sequence) {
      break;
    }
    want.sequences.push_back(sequence);
    want.logits.push_back(reference::decoder_logits(shape, read, text.sequence(sequence)));
  }
  return want;
}

reference::ParameterReader stored_parameters(const Decoder& decoder) {
  return [&decoder](std::size_t offset, std::size_t count) {
    const std::vector<float> values = decoder.parameters(offset, count);
    return std::vector<double>(values.begin(), values.end());
  };
}

reference::ParameterReader exact_parameters(const ParameterSource& source) {
  std::vector<double> all(source.shape().parameters());
  std::vector<float> values;
  for (const ModelTensor& tensor : ModelLayout(source.shape()).tensors()) {
    values.resize(tensor.values());
    source.read(tensor, 0, values.size(), values.data());
    std::copy(values.begin(), values.end(),
              all.begin() + static_cast<std::ptrdiff_t>(tensor.offset));
  }
  return [all = std::move(all)](std::size_t offset, std::size_t count) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(offset);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
  };
}

double logit_error(const std::vector<float>& logits, const ReferenceLogits& want,
                   const Text& text) {
  double worst = 0;
  const std::size_t size = logits.size() / text.sequences;
  for (std::size_t i = 0; i < want.sequences.size(); ++i) {
    keep_worse(worst, largest_relative_error(&logits[want.sequences[i] * size],
                                             want.logits[i].data(), size));
  }
  return worst;
}

std::size_t wrong_greedy_tokens(const ReferenceLogits& want, const Text& text, std::size_t first) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < want.sequences.size(); ++i) {
    const std::vector<int> tokens = text.sequence(want.sequences[i]);
    const std::size_t vocabulary = want.logits[i].size() / text.length;
    for (std::size_t position = first; position < text.length; ++position) {
      const double* logits = &want.logits[i][(position - 1) * vocabulary];
      if (!is_most_probable(logits, vocabulary, tokens[position])) {
        ++wrong;
      }
    }
  }
  return wrong;
}

double weights_error(const Decoder& decoder, const ParameterSource& source) {
  double worst = 0;
  for (const ModelTensor& tensor : ModelLayout(source.shape()).tensors()) {
    std::vector<float> want(tensor.values());
    source.read(tensor, 0, want.size(), want.data());
    if (tensor.shape.size() == 2) {
      want = rounded_reference(decoder.setup().weights, want, tensor.shape.back());
    }
    const std::vector<float> got = decoder.parameters(tensor.offset, want.size());
    keep_worse(worst, largest_relative_error(got.data(), want.data(), want.size()));
  }
  return worst;
}

double perplexity_change(Decoder& decoder, const ParameterSource& source, const Text& text) {
  const std::vector<float> logits = logits_in_one_piece(decoder, text);
  const ReferenceLogits want = reference_logits(source.shape(), exact_parameters(source), text);
  const std::size_t size = logits.size() / text.sequences;
  double nats = 0;
  for (std::size_t i = 0; i < want.sequences.size(); ++i) {
    const std::vector<int> tokens = text.sequence(want.sequences[i]);
    const auto first = logits.begin() + static_cast<std::ptrdiff_t>(want.sequences[i] * size);
    const std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(size));
    nats += std::log(reference::perplexity(own, tokens) /
                     reference::perplexity(want.logits[i], tokens));
  }
  return std::abs(std::exp(nats / static_cast<double>(want.sequences.size())) - 1);
}

}  // namespace perf::workloads
