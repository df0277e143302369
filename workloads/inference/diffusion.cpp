#include "workloads/inference/diffusion.h"

#include <algorithm>
#include <stdexcept>

#include "workloads/kernels/random.h"
#include "workloads/kernels/token_probability.h"
#include "workloads/model/random_tokens.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kDiffusionPromptStream = 2'000'011, kDiffusionUnitStream = 2'000'010;

std::size_t words_of(const Decoder& decoder) {
  return decoder.setup().shape.tokens() - 1;  // all tokens but the mask
}

const DiffusionSetup& checked(const DiffusionSetup& setup) {
  if (setup.denoising_steps == 0 || setup.denoising_steps > setup.new_tokens) {
    throw std::invalid_argument("denoising steps that would keep no token");
  }
  return setup;
}

}  // namespace

Diffusion::Diffusion(Decoder& decoder, const DiffusionSetup& setup, std::uint64_t seed)
    : decoder_(decoder),
      setup_(checked(setup)),
      mask_(static_cast<int>(words_of(decoder))),
      unit_seed_(derived_seed(seed, kDiffusionUnitStream)),
      memory_(room_for_sampler(setup.sampling, words_of(decoder))),
      sampler_(setup.sampling, words_of(decoder), memory_),
      tokens_(setup.prompt + setup.new_tokens) {
  const std::uint32_t prompt_seed = derived_seed(seed, kDiffusionPromptStream);
  for (std::size_t i = 0; i < setup.prompt; ++i) {
    tokens_[i] = random_token(prompt_seed, i, static_cast<std::size_t>(mask_));
  }
  masked_.reserve(setup.new_tokens);
  predictions_.reserve(setup.new_tokens);
  kept_.reserve(setup.new_tokens);
}

std::size_t Diffusion::kept_in(const DiffusionSetup& setup, std::size_t step) {
  const std::size_t each = setup.new_tokens / setup.denoising_steps;
  return each + (step < setup.new_tokens % setup.denoising_steps ? 1 : 0);
}

void Diffusion::run(perf_compare::StepEmitter& out) {
  sample_seconds_ = 0;
  masked_.clear();
  kept_.clear();
  for (std::size_t position = setup_.prompt; position < tokens_.size(); ++position) {
    tokens_[position] = mask_;
    masked_.push_back(static_cast<int>(position));
  }
  for (std::size_t step = 0; step < setup_.denoising_steps; ++step) {
    predictions_.clear();
    decoder_.predict_and_visit(tokens_.data(), tokens_.size(), masked_,
                               [&](std::size_t index, const float* logits) {
                                 out.phase("forward");
                                 predict(step, index, logits);
                                 sample_seconds_ += out.phase("sample");
                               });
    keep_most_confident(step);
    sample_seconds_ += out.phase("sample");
  }
}

void Diffusion::predict(std::size_t step, std::size_t index, const float* logits) {
  const auto position = static_cast<std::size_t>(masked_[index]);
  const auto draw = static_cast<std::uint32_t>(step * setup_.new_tokens + position - setup_.prompt);
  const std::size_t words = static_cast<std::size_t>(mask_);
  const std::size_t token = sampler_.choose(logits, random_unit(unit_seed_, draw));
  predictions_.push_back(
      {step, position, static_cast<int>(token), token_probability(logits, words, token)});
}

void Diffusion::keep_most_confident(std::size_t step) {
  const auto last = predictions_.begin() + static_cast<std::ptrdiff_t>(kept_in(setup_, step));
  std::partial_sort(
      predictions_.begin(), last, predictions_.end(), [](const Kept& a, const Kept& b) {
        return a.confidence != b.confidence ? a.confidence > b.confidence : a.position < b.position;
      });
  for (auto one = predictions_.begin(); one != last; ++one) {
    tokens_[one->position] = one->token;
    kept_.push_back(*one);
  }
  masked_.erase(std::remove_if(masked_.begin(), masked_.end(),
                               [&](int position) {
                                 return tokens_[static_cast<std::size_t>(position)] != mask_;
                               }),
                masked_.end());
}

double Diffusion::operations(const DiffusionSetup& setup, const ModelShape& shape) {
  const auto rows = static_cast<double>(setup.prompt + setup.new_tokens);
  const auto width = static_cast<double>(shape.width());
  const double matrices =
      width * static_cast<double>(shape.qkv_width() + shape.query_width() + 3 * shape.inner());
  const double layer = rows * matrices + 2 * rows * rows * static_cast<double>(shape.query_width());
  double masked = static_cast<double>(setup.new_tokens), sum = 0;
  for (std::size_t step = 0; step < setup.denoising_steps; ++step) {
    sum += static_cast<double>(shape.depth()) * layer +
           masked * width * static_cast<double>(shape.tokens());
    masked -= static_cast<double>(kept_in(setup, step));
  }
  return 2 * sum;
}

}  // namespace perf::workloads
