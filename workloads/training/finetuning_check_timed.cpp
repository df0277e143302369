#include "workloads/training/finetuning_check_timed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/reference/decoder_forward.h"
#include "workloads/training/finetuning_reference.h"
#include "workloads/training/trained_tensors.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kLooked = 16;  // values at a place: one of them may be 0 by chance

struct Place {
  std::size_t tensor, offset, count;
};

// The first, middle and last values of each tensor.
std::vector<Place> places(const std::vector<TrainedTensor>& tensors) {
  std::vector<Place> found;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::size_t count = std::min(kLooked, tensors[i].count), rest = tensors[i].count - count;
    for (const std::size_t start : {std::size_t{0}, rest / 2, rest}) {
      found.push_back({i, tensors[i].offset + start, count});
    }
  }
  return found;
}

void note(Unseen& unseen, const TrainedTensor& tensor, std::size_t value) {
  if (unseen.count++ == 0) {
    unseen.first = fmt::format("{} at value {}", tensor.kind, value);
  }
}

std::vector<float> trained(const Finetuning& model, std::size_t offset, std::size_t count) {
  if (model.setup().trains_all()) {
    return model.parameters(offset, count);
  }
  const std::vector<float> all = model.adapters();
  const auto from = all.begin() + static_cast<std::ptrdiff_t>(offset);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

bool is_zero(float value) {
  return value == 0;
}

// Whether the gradient of a tensor may be 0 as it is.
bool may_be_zero(const Finetuning& model, const std::vector<TrainedTensor>& tensors,
                 std::size_t index) {
  const TrainingSetup& setup = model.setup();
  const std::string& kind = tensors[index].kind;
  if (setup.length == 1 && (kind[0] == 'q' || kind[0] == 'k')) {
    return true;
  }
  // Of an embedding that is not the output only the rows of the batch's tokens have a gradient.
  if (kind == "embedding" && (setup.dtype == DType::fp16 || !setup.shape.is_tied)) {
    return true;
  }
  if (setup.trains_all() || kind.back() != 'A') {
    return false;
  }
  const TrainedTensor& b = tensors[index + 1];  // lies behind its A
  const std::vector<float> values = trained(model, b.offset, b.count);
  return std::all_of(values.begin(), values.end(), is_zero);
}

// Whether a step of this gradient is something in the model's type.
bool shows(const TrainingSetup& setup, float gradient) {
  const bool adamw = setup.optimizer.kind == OptimizerKind::adamw;
  const double rate = setup.optimizer.adamw.learning_rate;
  const double step = adamw ? rate : rate * std::abs(gradient);
  if (setup.dtype == DType::fp16)  // AdamW's step may be a hundredth of its rate
  {
    return step > (adamw ? 1e-5 : 0x1p-23);
  }
  return step > 1e-30;
}

}  // namespace

Unseen unreached_gradients(const Finetuning& model) {
  const std::vector<TrainedTensor> tensors = trained_tensors(model.setup());
  std::vector<int> forgiven(tensors.size(), -1);
  Unseen unseen;
  for (const Place& place : places(tensors)) {
    const std::vector<float> values = model.gradients(place.offset, place.count);
    const bool finite =
        std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
    if (finite && !std::all_of(values.begin(), values.end(), is_zero)) {
      continue;
    }
    int& zero_allowed = forgiven[place.tensor];
    if (zero_allowed < 0) {
      zero_allowed = may_be_zero(model, tensors, place.tensor) ? 1 : 0;
    }
    if (!finite || zero_allowed == 0) {
      note(unseen, tensors[place.tensor], place.offset);
    }
  }
  return unseen;
}

Unseen unmoved_values(Finetuning& model) {
  const std::vector<TrainedTensor> tensors = trained_tensors(model.setup());
  std::vector<Place> looked;
  for (const Place& place : places(tensors)) {
    const std::vector<float> gradients = model.gradients(place.offset, place.count);
    const auto largest = std::max_element(gradients.begin(), gradients.end(), [](float a, float b) {
      return std::abs(a) < std::abs(b);
    });
    if (*largest == 0 || !shows(model.setup(), *largest)) {
      continue;
    }
    const auto offset =
        place.offset + static_cast<std::size_t>(std::distance(gradients.begin(), largest));
    model.set_trained(offset, {0.0F});
    looked.push_back({place.tensor, offset, 1});
  }
  model.update();
  Unseen unseen;
  for (const Place& place : looked) {
    const float now = trained(model, place.offset, 1).front();
    if (now == 0 || !std::isfinite(now)) {
      note(unseen, tensors[place.tensor], place.offset);
    }
  }
  return unseen;
}

StartErrors start_errors(Finetuning& model, const ParameterSource& source) {
  constexpr std::size_t kTokens = 4;  // of 0.5 billion parameters a token takes 0.2 s
  const double subnormal = model.setup().dtype == DType::fp16 ? 0x1p-25 : 0;
  StartErrors errors;
  const ModelShape& shape = source.shape();
  for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
    const std::size_t count = std::min(kLooked, tensor.values()), rest = tensor.values() - count;
    for (const std::size_t start : {std::size_t{0}, rest / 2, rest}) {
      std::vector<float> want(count);
      source.read(tensor, start, count, want.data());
      const std::vector<float> got = model.parameters(tensor.offset + start, count);
      for (std::size_t i = 0; i < count; ++i) {
        const double difference = std::abs(double{got[i]} - double{want[i]});
        keep_worse(errors.weights, std::max(0.0, difference - subnormal) /
                                       std::max(std::abs(double{want[i]}), 1e-30));
      }
    }
  }
  const std::size_t tokens = std::min(kTokens, static_cast<std::size_t>(model.setup().length));
  const reference::ParameterReader stored = [&](std::size_t offset, std::size_t count) {
    return doubles(model.parameters(offset, count));
  };
  const auto first = model.tokens().begin();
  const std::vector<double> all = reference::decoder_logits(
      shape, stored, {first, first + static_cast<std::ptrdiff_t>(tokens)});
  model.forward();
  const std::vector<float> got = model.logits(tokens - 1);
  errors.logits =
      largest_relative_error(got.data(), &all[(tokens - 1) * shape.tokens()], shape.tokens());
  return errors;
}

double loss_rise(const TrainingSetup& setup, double first, double last) {
  constexpr double kSafeRate = 1e-4;
  if (!std::isfinite(first) || !std::isfinite(last)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double rise = last / first - 1;
  if (setup.gradients_only) {
    return std::abs(rise);
  }
  const bool must_not_rise = setup.optimizer.kind == OptimizerKind::adamw &&
                             setup.optimizer.adamw.learning_rate <= kSafeRate;
  return must_not_rise ? std::max(0.0, rise) : 0;
}

TrainingSetup narrow_setup(const TrainingSetup& setup) {
  TrainingSetup narrow = setup;
  narrow.shape = {.layers = setup.shape.layers,
                  .hidden = 16,
                  .heads = 2,
                  .kv_heads = 1,
                  .head_size = 8,
                  .intermediate = 24,
                  .vocabulary = 32,
                  .rope_theta = setup.shape.rope_theta,
                  .norm_epsilon = setup.shape.norm_epsilon,
                  .rope_scaling = setup.shape.rope_scaling,
                  .is_tied = setup.shape.is_tied,
                  .has_qkv_bias = setup.shape.has_qkv_bias};
  narrow.batch = 1;
  narrow.length = 8;
  return narrow;
}

double gradient_difference(Finetuning& one, Finetuning& other) {
  for (Finetuning* model : {&one, &other}) {
    model->forward();
    model->loss();
    model->backward();
  }
  const std::vector<float> got = one.gradients(), want = other.gradients();
  double worst = 0;
  for (const TrainedTensor& tensor : trained_tensors(one.setup())) {
    keep_worse(worst,
               largest_relative_error(&got[tensor.offset], &want[tensor.offset], tensor.count));
  }
  return worst;
}

}  // namespace perf::workloads
