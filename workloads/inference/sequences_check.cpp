#include "workloads/inference/sequences_check.h"

#include <algorithm>
#include <vector>

#include "workloads/decoder/decoder_check.h"
#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kSequenceStream = 2'000'003;
constexpr std::size_t kMostLength = 257;

// The logits (B,V) after the sequences, each `shift` places from where it was made.
std::vector<float> logits_of(const DecoderSetup& setup, std::uint64_t seed,
                             const AdvanceSequences& advance, std::size_t shift) {
  const std::size_t batch = setup.sequences, vocabulary = setup.shape.tokens();
  const std::size_t length = std::min({kMostLength, setup.capacity, setup.most_rows / batch + 1});
  const auto token = [&](std::size_t place, std::size_t position) {
    const std::size_t sequence = (place + shift) % batch;
    const auto index = static_cast<std::uint32_t>(sequence * kMostLength + position);
    return static_cast<int>(random_bits(derived_seed(seed, kSequenceStream), index) % vocabulary);
  };
  std::vector<int> before, last;
  for (std::size_t place = 0; place < batch; ++place) {
    for (std::size_t position = 0; position + 1 < length; ++position) {
      before.push_back(token(place, position));
    }
    last.push_back(token(place, length - 1));
  }
  if (!before.empty()) {
    advance(before.data(), length - 1, true);
  }
  const float* logits = advance(last.data(), 1, before.empty());
  std::vector<float> result(batch * vocabulary);
  for (std::size_t place = 0; place < batch; ++place) {
    std::copy_n(logits + place * vocabulary, vocabulary,
                result.data() + (place + shift) % batch * vocabulary);
  }
  return result;
}

}  // namespace

double sequences_error(const DecoderSetup& setup, std::uint64_t seed,
                       const AdvanceSequences& advance) {
  if (setup.sequences == 1) {
    return 0;
  }
  const std::vector<float> want = logits_of(setup, seed, advance, 0);
  const std::vector<float> got = logits_of(setup, seed, advance, 1);
  return largest_relative_error(got.data(), want.data(), want.size());
}

double sequences_tolerance(const DecoderSetup& setup) {
  return tolerances(setup).decoded;
}

void check_sequences(Decoder& decoder, std::uint64_t seed, perf_compare::StepEmitter& out) {
  const auto advance = [&](const int* tokens, std::size_t count, bool anew) {
    if (anew) {
      decoder.reset();
    }
    return decoder.advance(tokens, count);
  };
  out.check("sequences_do_not_mix", sequences_error(decoder.setup(), seed, advance),
            sequences_tolerance(decoder.setup()));
  decoder.reset();
}

}  // namespace perf::workloads
