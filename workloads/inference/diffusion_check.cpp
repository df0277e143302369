#include "workloads/inference/diffusion_check.h"

#include <algorithm>
#include <cmath>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_check_small.h"
#include "workloads/inference/differing_tokens.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

// Not a divisor of the tokens, so that steps differ; logits come in several pieces.
constexpr std::size_t kPromptLength = 20, kNewTokens = 13, kDenoisingSteps = 5, kLogitRows = 4;

// A position's logits of all tokens but the mask.
struct Prediction {
  Prediction(const double* first, std::size_t words)
      : logits(first), largest(*std::max_element(first, first + words)) {
    double sum = 0;
    for (std::size_t i = 0; i < words; ++i) {
      sum += std::exp(logits[i] - largest);
    }
    log_sum = largest + std::log(sum);
  }
  double confidence() const { return largest - log_sum; }
  double confidence(int token) const { return logits[token] - log_sum; }

  const double* logits;
  double largest, log_sum = 0;
};

// One denoising step, `kept` in its order, over the reference's logits of the tokens before it.
double step_error(const Diffusion& diffusion, const std::vector<double>& logits,
                  const std::vector<int>& tokens, const Diffusion::Kept* kept, std::size_t count) {
  const auto words = static_cast<std::size_t>(diffusion.mask());
  double worst = 0, least = 0;  // least: the confidence of what was kept last
  std::vector<bool> is_kept(tokens.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Prediction own(&logits[kept[i].position * (words + 1)], words);
    const double confidence = own.confidence(kept[i].token);
    keep_worse(worst, own.largest - own.logits[kept[i].token]);
    if (i > 0) {
      keep_worse(worst, confidence - least);
    }
    least = confidence;
    is_kept[kept[i].position] = true;
  }
  for (std::size_t position = 0; position < tokens.size(); ++position) {
    if (tokens[position] == diffusion.mask() && !is_kept[position]) {
      keep_worse(worst, Prediction(&logits[position * (words + 1)], words).confidence() - least);
    }
  }
  return worst;
}

DecoderSetup small_diffusion_setup(const DecoderSetup& timed) {
  DecoderSetup setup = small_setup(timed);
  setup.capacity = setup.most_rows = kPromptLength + kNewTokens;
  setup.logit_rows = kLogitRows;
  return setup;
}

// In a step that nobody reports.
void run_once(Diffusion& diffusion) {
  StepEmitter nowhere({.steps = 1, .warmup = 0}, "check", {});
  nowhere.next_step();
  diffusion.run(nowhere);
}

}  // namespace

std::size_t wrongly_kept(const DiffusionSetup& setup, int mask, const std::vector<int>& tokens,
                         const std::vector<Diffusion::Kept>& kept) {
  std::vector<std::size_t> times(tokens.size()), in_step(setup.denoising_steps);
  std::size_t wrong = 0;
  for (const Diffusion::Kept& one : kept) {
    if (one.position < setup.prompt || one.position >= tokens.size() ||
        one.step >= setup.denoising_steps) {
      ++wrong;
      continue;
    }
    ++times[one.position];
    ++in_step[one.step];
    if (one.token != tokens[one.position] || one.token < 0 || one.token >= mask) {
      ++wrong;
    }
  }
  for (std::size_t position = setup.prompt; position < tokens.size(); ++position) {
    wrong += times[position] != 1 ? 1 : 0;
  }
  for (std::size_t step = 0; step < in_step.size(); ++step) {
    wrong += in_step[step] != Diffusion::kept_in(setup, step) ? 1 : 0;
  }
  return wrong;
}

std::size_t wrongly_kept(const Diffusion& diffusion) {
  return wrongly_kept(diffusion.setup(), diffusion.mask(), diffusion.tokens(), diffusion.kept());
}

double unmasking_error(const Decoder& decoder, const Diffusion& diffusion) {
  const DiffusionSetup& setup = diffusion.setup();
  std::vector<int> tokens = diffusion.tokens();
  std::fill(tokens.begin() + static_cast<std::ptrdiff_t>(setup.prompt), tokens.end(),
            diffusion.mask());
  double worst = 0, largest = 0;
  std::size_t first = 0;
  for (std::size_t step = 0; step < setup.denoising_steps; ++step) {
    const std::size_t count = Diffusion::kept_in(setup, step);
    const Diffusion::Kept* kept = diffusion.kept().data() + first;
    const std::vector<double> logits =
        reference::decoder_logits(decoder.setup().shape, stored_parameters(decoder), tokens, false);
    for (const double logit : logits) {
      largest = std::max(largest, std::abs(logit));
    }
    keep_worse(worst, step_error(diffusion, logits, tokens, kept, count));
    for (std::size_t i = 0; i < count; ++i) {
      tokens[kept[i].position] = kept[i].token;
    }
    first += count;
  }
  return worst / largest;
}

std::vector<std::string> diffusion_checks() {
  return {"unmasked_as_reference", "unmasked_once", "seed_gives_same_text"};
}

void check_diffusion(const Decoder& decoder, const Diffusion& timed, std::uint64_t seed,
                     StepEmitter& out) {
  const DecoderSetup setup = small_diffusion_setup(decoder.setup());
  const SmallParameters source(setup.shape, seed);
  DecoderInMemory model(setup, source);
  DiffusionSetup wanted{.prompt = kPromptLength,
                        .new_tokens = kNewTokens,
                        .denoising_steps = kDenoisingSteps,
                        .sampling = {}};
  wanted.sampling.method = SamplingMethod::greedy;
  Diffusion greedy(model.decoder(), wanted, seed);
  run_once(greedy);
  const std::size_t wrong = wrongly_kept(greedy) + wrongly_kept(timed);
  // What is compared errs as logits do, and counts only where two come that close.
  out.check("unmasked_as_reference",
            wrong > 0 ? INFINITY : unmasking_error(model.decoder(), greedy),
            tolerances(decoder.setup()).logits);
  out.check("unmasked_once", static_cast<double>(wrong), 0);

  wanted.sampling = timed.setup().sampling;
  Diffusion first(model.decoder(), wanted, seed), second(model.decoder(), wanted, seed);
  run_once(first);
  run_once(second);
  out.check("seed_gives_same_text",
            static_cast<double>(differing_tokens(first.tokens(), second.tokens())), 0);
}

}  // namespace perf::workloads
