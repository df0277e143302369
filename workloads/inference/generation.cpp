#include "workloads/inference/generation.h"

#include <algorithm>

#include "workloads/kernels/random.h"
#include "workloads/model/random_tokens.h"

namespace perf::workloads {

Generation::Generation(Decoder& decoder, const GenerationSetup& setup, std::uint64_t seed)
    : decoder_(decoder),
      setup_(setup),
      unit_seed_(derived_seed(seed, kUnitStream)),
      memory_(room_for_sampler(setup.sampling, decoder.setup().shape.tokens())),
      sampler_(setup.sampling, decoder.setup().shape.tokens(), memory_),
      tokens_(decoder.setup().sequences),
      token_seconds_(setup.new_tokens) {
  const std::uint32_t prompt_seed = derived_seed(seed, kPromptStream);
  std::size_t position = 0;
  for (std::vector<int>& tokens : tokens_) {
    tokens.resize(setup.prompt + setup.new_tokens);
    for (std::size_t i = 0; i < setup.prompt; ++i) {
      tokens[i] = setup.prompt_tokens.empty()
                      ? random_token(prompt_seed, position++, decoder.setup().shape.tokens())
                      : setup.prompt_tokens[i];
    }
  }
  rows_.resize(most_rows(setup, tokens_.size()));
}

void Generation::run(perf_compare::StepEmitter& out) {
  prefill_seconds_ = decode_seconds_ = sample_seconds_ = decode_bytes_ = 0;
  decoder_.reset();
  const float* logits = nullptr;
  for (std::size_t i = 0; i < setup_.new_tokens; ++i) {
    const std::size_t so_far = setup_.prompt + i;
    if (i == 0) {
      logits = advance(0, so_far);
      prefill_seconds_ = token_seconds_[i] = out.phase("prefill");
    } else {
      if (!setup_.cached) {
        decoder_.reset();
      }
      decode_bytes_ += static_cast<double>(decoder_.bytes_read());
      logits = setup_.cached ? advance(so_far - 1, 1) : advance(0, so_far);
      token_seconds_[i] = out.phase("decode");
      decode_seconds_ += token_seconds_[i];
    }
    choose(i, logits);
    const double sampling = out.phase("sample");
    sample_seconds_ += sampling;
    token_seconds_[i] += sampling;
  }
}

const float* Generation::advance(std::size_t first, std::size_t count) {
  for (std::size_t sequence = 0; sequence < tokens_.size(); ++sequence) {
    std::copy_n(tokens_[sequence].data() + first, count, rows_.data() + sequence * count);
  }
  return decoder_.advance(rows_.data(), count);
}

double Generation::unit(std::size_t sequence, std::size_t index) const {
  return random_unit(unit_seed_, static_cast<std::uint32_t>(sequence * setup_.new_tokens + index));
}

void Generation::choose(std::size_t index, const float* logits) {
  const std::size_t vocabulary = decoder_.setup().shape.tokens();
  for (std::size_t sequence = 0; sequence < tokens_.size(); ++sequence) {
    tokens_[sequence][setup_.prompt + index] =
        static_cast<int>(sampler_.choose(logits + sequence * vocabulary, unit(sequence, index)));
  }
}

}  // namespace perf::workloads
