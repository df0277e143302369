#include "workloads/training/finetuning_check.h"

#include <algorithm>
#include <cmath>

#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

// Which layers of the small model have adapters: as those at the same height of the large one.
std::vector<bool> same_heights(const std::vector<bool>& large, std::size_t layers) {
  std::vector<bool> small(layers);
  for (std::size_t i = 0; i < layers && !large.empty(); ++i) {
    small[i] = large[i * (large.size() - 1) / (layers - 1)];
  }
  if (std::find(small.begin(), small.end(), true) == small.end()) {
    small.back() = true;
  }
  return small;
}

}  // namespace

TrainingSetup small_setup(const TrainingSetup& setup) {
  TrainingSetup small = setup;
  small.shape = {.layers = 3,
                 .hidden = 64,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_size = 16,
                 .intermediate = 96,
                 .vocabulary = 131,
                 .rope_theta = setup.shape.rope_theta,
                 .norm_epsilon = setup.shape.norm_epsilon,
                 .rope_scaling = setup.shape.rope_scaling,
                 .is_tied = setup.shape.is_tied,
                 .has_qkv_bias = setup.shape.has_qkv_bias};
  small.batch = 2;
  small.length = 72;
  small.loss_rows = 16;
  if (!small.lora.layers.empty()) {
    small.lora.layers = same_heights(setup.lora.layers, small.shape.depth());
  }
  // AdamW moves everything by about its rate, the others by rate * gradient.
  const bool adamw = small.optimizer.kind == OptimizerKind::adamw;
  small.optimizer.adamw.learning_rate = adamw ? 0.05 : 2;
  if (small.optimizer.adamw.weight_decay > 0) {
    small.optimizer.adamw.weight_decay = 0.05 / small.optimizer.adamw.learning_rate;
  }
  return small;
}

TrainingSetup brief_setup(const TrainingSetup& setup) {
  TrainingSetup brief = small_setup(setup);
  brief.length = 12;
  return brief;
}

SmallFinetuning::SmallFinetuning(const TrainingSetup& setup, std::uint64_t seed)
    : training_(setup, seed) {
  if (setup.trains_all()) {
    return;
  }
  std::vector<float> values = model().adapters();
  fill_uniform(values.data(), values.size(), derived_seed(seed, 7), 0.1F);
  model().set_trained(values);
}

double expected_first_loss(const ModelShape& shape) {
  return std::log(static_cast<double>(shape.vocabulary)) + 0.125;
}

double first_loss_error(const ModelShape& shape, double loss) {
  return std::abs(loss / expected_first_loss(shape) - 1);
}

double rounding_of(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return 0x1p-24;
    case DType::bf16:
      return 0x1p-8;
    case DType::fp16:
      break;
  }
  return 0x1p-11;
}

// In 16 bits every array is rounded as it is stored, by up to r = 2^-8 or 2^-11 of a value. A
// layer's eight roundings are independent, and three layers of them add up to about 4 r of the
// largest value on the way up, to 12 r on the way down, which goes back over all of them. The loss
// is a mean over rows of what a change of the logits hardly changes. A single layer starts from
// rounded values, and what is rounded within it is small beside its output: about 1 r; sums that
// were taken in 16 bits would show. A random direction adds up the
// errors of small values that the largest one hides. In single precision what counts is the order
// of sums of up to 200 products.
Tolerances tolerances(const TrainingSetup& setup) {
  constexpr double kFloatUpdate = 1e-5;
  if (setup.dtype == DType::fp32) {
    return {.forward = 1e-5,
            .layer = 1e-5,
            .loss = 2e-7,
            .gradient = 2e-5,
            .difference = 2e-5,
            .update = kFloatUpdate};
  }
  const double r = rounding_of(setup.dtype);
  return {.forward = 8 * r,
          .layer = 2 * r,
          .loss = r / 4,
          .gradient = 24 * r,
          .difference = 48 * r,
          .update = setup.state_dtype == DType::fp32 ? kFloatUpdate : 8 * r};
}

}  // namespace perf::workloads
