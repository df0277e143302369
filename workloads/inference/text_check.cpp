#include "workloads/inference/text_check.h"

#include <algorithm>
#include <cmath>

#include "workloads/decoder/decoder_check.h"
#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

// Of Streaming.
constexpr std::uint32_t kStreamedPromptStream = 0, kStreamedUnitStream = 1;
constexpr std::size_t kAllOfFirst = 16, kThenEvery = 8;  // sorting a vocabulary takes 20 ms
// Sums of many roundings are off by their root: eight deviations of it are never reached.
constexpr double kSpread = 4;
constexpr double kWrongPrompt = 1000;
constexpr double kSinglePrecision = 1e-5;  // of a Sampler's exponentials and sums

bool looked_at(std::size_t index, std::size_t count) {
  return index < kAllOfFirst || index % kThenEvery == 0 || index + 1 == count;
}

// Of one token drawn from logits (V) that are off by at most `off`.
double token_error(const SamplingOptions& sampling, const float* logits, std::size_t vocabulary,
                   double off, std::size_t drawn, double unit) {
  if (sampling.method == SamplingMethod::greedy) {
    return (*std::max_element(logits, logits + vocabulary) - double{logits[drawn]}) / (2 * off);
  }
  const std::vector<double> probabilities =
      sampling_probabilities_reference(sampling, logits, vocabulary);
  double before = 0, squares = 0, least = 1, border = INFINITY;
  for (std::size_t i = 0; i < vocabulary; ++i) {
    const double probability = probabilities[i];
    if (std::isnan(probability)) {
      return probability;
    }
    if (i < drawn) {
      before += probability;
    }
    squares += probability * probability;
    if (probability > 0 && logits[i] < border) {
      border = logits[i];
      least = probability;
    }
  }
  double error = std::max(0.0, border - logits[drawn]) / (2 * off);

  // Probabilities are off by a share of 2 off / T each; tokens at the border may be in or out.
  const auto doubtful = static_cast<double>(std::count_if(
      logits, logits + vocabulary, [&](float x) { return std::abs(x - border) <= 2 * off; }));
  const double slack = kSinglePrecision +
                       kSpread * 2 * off / sampling.temperature * std::sqrt(squares) +
                       least * std::min(doubtful, kSpread * std::sqrt(doubtful));
  const double outside = std::max(before - unit, unit - before - probabilities[drawn]);
  keep_worse(error, std::max(0.0, outside) / slack);
  return error;
}

double largest_size(const float* logits, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, std::abs(double{logits[i]}));
  }
  return largest;
}

}  // namespace

Text prompt_of(std::uint64_t seed, std::uint32_t stream, const DecoderSetup& setup,
               std::size_t length, const std::vector<int>& given) {
  Text text{.sequences = setup.sequences, .length = length, .tokens = {}};
  if (!given.empty()) {
    for (std::size_t sequence = 0; sequence < setup.sequences; ++sequence) {
      text.tokens.insert(text.tokens.end(), given.begin(), given.end());
    }
    return text;
  }
  for (std::uint32_t i = 0; i < setup.sequences * length; ++i) {
    text.tokens.push_back(static_cast<int>(random_bits(derived_seed(seed, stream), i) %
                                           static_cast<std::uint32_t>(setup.shape.vocabulary)));
  }
  return text;
}

double text_error(Decoder& decoder, const ExpectedText& expected, const Text& text, double logits) {
  const std::size_t prompt = expected.prompt.length, vocabulary = decoder.setup().shape.tokens();
  if (text.part(0, prompt).tokens != expected.prompt.tokens) {
    return kWrongPrompt;
  }
  const std::size_t most = decoder.setup().most_rows / text.sequences;
  double error = 0;
  const auto look_at = [&](std::size_t sequence, std::size_t position, const float* found) {
    const std::size_t index = position + 1 - prompt;
    if (!looked_at(index, text.length - prompt)) {
      return;
    }
    const int token = text.tokens[sequence * text.length + position + 1];
    keep_worse(error, token_error(expected.sampling, found, vocabulary,
                                  logits * largest_size(found, vocabulary),
                                  static_cast<std::size_t>(token), expected.unit(sequence, index)));
  };
  decoder.reset();
  for (std::size_t first = 0, count = 0; first + 1 < text.length; first += count) {
    // The prompt's last token is the first of those whose logits are wanted.
    const bool reads = first + 1 < prompt;
    count = std::min(most, (reads ? prompt : text.length) - 1 - first);
    const Text part = text.part(first, count);
    if (reads) {
      decoder.advance(part.tokens.data(), count);
    } else {
      decoder.advance_and_visit(part.tokens.data(), count,
                                [&](std::size_t row, const float* found) {
                                  look_at(row / count, first + row % count, found);
                                });
    }
  }
  decoder.reset();
  return error;
}

void check_text(Decoder& decoder, const ExpectedText& expected, const Text& text,
                perf_compare::StepEmitter& out) {
  out.check("text_matches_one_piece",
            text_error(decoder, expected, text, tolerances(decoder.setup()).logits), 1);
}

void check_text(Decoder& decoder, const Generation& generation, std::uint64_t seed,
                perf_compare::StepEmitter& out) {
  const GenerationSetup& setup = generation.setup();
  const ExpectedText expected{
      .prompt = prompt_of(seed, kPromptStream, decoder.setup(), setup.prompt, setup.prompt_tokens),
      .sampling = setup.sampling,
      .unit = [&](std::size_t sequence, std::size_t index) -> double {
        return random_unit(derived_seed(seed, kUnitStream),
                           static_cast<std::uint32_t>(sequence * setup.new_tokens + index));
      }};
  Text text{.sequences = decoder.setup().sequences,
            .length = setup.prompt + setup.new_tokens,
            .tokens = {}};
  for (std::size_t i = 0; i < text.sequences; ++i) {
    text.tokens.insert(text.tokens.end(), generation.tokens(i).begin(), generation.tokens(i).end());
  }
  check_text(decoder, expected, text, out);
}

void check_text(Decoder& decoder, const Streaming& streaming, const StreamingSetup& setup,
                std::uint64_t seed, perf_compare::StepEmitter& out) {
  const ExpectedText expected{.prompt = prompt_of(seed, kStreamedPromptStream, decoder.setup(),
                                                  setup.prompt, setup.prompt_tokens),
                              .sampling = setup.sampling,
                              .unit = [&](std::size_t, std::size_t index) {
                                return 0x1p-32 *
                                       random_bits(derived_seed(seed, kStreamedUnitStream),
                                                   static_cast<std::uint32_t>(index));
                              }};
  Text text = expected.prompt;
  for (const std::uint32_t token : streaming.generated()) {
    text.append({static_cast<int>(token)});
  }
  check_text(decoder, expected, text, out);
}

double two_pieces_error(Decoder& decoder, const Text& text, const std::vector<float>& logits) {
  decoder.reset();
  const std::size_t half = text.length / 2;
  if (half > 0) {
    decoder.advance(text.part(0, half).tokens.data(), half);
  }
  const float* want =
      decoder.advance(text.part(half, text.length - half).tokens.data(), text.length - half);
  const double error = largest_relative_error(logits.data(), want, logits.size());
  decoder.reset();
  return error;
}

}  // namespace perf::workloads
