#include <algorithm>
#include <cmath>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_reference.h"
#include "workloads/training/trained_tensors.h"

namespace perf::workloads {

namespace {

void keep_worst_of_kind(std::vector<KindError>& kinds, const std::string& kind, double error) {
  for (KindError& known : kinds) {
    if (known.kind == kind) {
      return keep_worse(known.error, error);
    }
  }
  kinds.push_back({kind, error});
}

// One random direction within the tensors of a kind: 1 or -1 each, 0 elsewhere.
std::vector<double> direction_of(const std::string& kind, const std::vector<TrainedTensor>& tensors,
                                 std::size_t size) {
  std::vector<double> direction(size);
  for (const TrainedTensor& tensor : tensors) {
    if (tensor.kind == kind) {
      for (std::size_t i = tensor.offset; i < tensor.offset + tensor.count; ++i) {
        direction[i] = random_bits(11, static_cast<std::uint32_t>(i)) % 2 == 0 ? 1 : -1;
      }
    }
  }
  return direction;
}

}  // namespace

double ParityErrors::worst_layer() const {
  double worst = 0;
  for (const double error : layer_inputs) {
    keep_worse(worst, error);
  }
  return worst;
}

double ParityErrors::worst_gradient() const {
  double worst = 0;
  for (const KindError& kind : gradients) {
    keep_worse(worst, kind.error);
  }
  return worst;
}

std::string ParityErrors::where_layer() const {
  double worst = 0;
  std::size_t where = 0;
  for (std::size_t layer = 0; layer < layer_inputs.size(); ++layer) {
    if (is_worse(layer_inputs[layer], worst)) {
      worst = layer_inputs[layer];
      where = layer;
    }
  }
  return where + 1 < layer_inputs.size() ? "input of layer " + std::to_string(where)
                                         : "the last layer's output";
}

std::string ParityErrors::where_gradient() const {
  double worst = 0;
  std::string where;
  for (const KindError& kind : gradients) {
    if (is_worse(kind.error, worst)) {
      worst = kind.error;
      where = kind.kind;
    }
  }
  return where;
}

ParityErrors parity_errors(Finetuning& model) {
  const TrainingSetup& setup = model.setup();
  DecoderReference reference = reference_of(model);
  const double want_loss = reference.forward();
  const std::vector<double> want = reference.backward();

  ParityErrors errors;
  model.forward();
  for (int layer = 0; layer <= setup.shape.layers; ++layer) {
    const std::vector<float> got = model.layer_input(layer);
    errors.layer_inputs.push_back(
        largest_relative_error(got.data(), reference.layer_input(layer).data(), got.size()));
  }
  const std::size_t last = setup.rows() - 1;
  const std::vector<float> logits = model.logits(last);
  errors.logits = largest_relative_error(logits.data(), &reference.logits()[last * logits.size()],
                                         logits.size());
  errors.loss = std::abs(model.loss() / want_loss - 1);
  model.backward();
  const std::vector<float> gradients = model.gradients();
  for (const TrainedTensor& tensor : trained_tensors(setup)) {
    keep_worst_of_kind(
        errors.gradients, tensor.kind,
        largest_relative_error(&gradients[tensor.offset], &want[tensor.offset], tensor.count));
  }
  return errors;
}

double finite_difference_error(const Finetuning& model) {
  constexpr double kStep = 1e-4;  // along a unit vector: 1e-8 truncated, 1e-11 rounded
  const TrainingSetup& setup = model.setup();
  const bool lora = !setup.trains_all();
  const std::vector<double> parameters = doubles(model.parameters());
  const std::vector<double> trained = trained_values(model);
  const std::vector<float> gradients = model.gradients();
  const std::vector<TrainedTensor> tensors = trained_tensors(setup);
  const auto loss_at = [&](const std::vector<double>& direction, double step) {
    std::vector<double> values = trained;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += step * direction[i];
    }
    return DecoderReference(setup, lora ? parameters : values,
                            lora ? values : std::vector<double>(), model.tokens(), model.targets())
        .forward();
  };

  std::vector<KindError> kinds;
  for (const TrainedTensor& tensor : tensors) {
    keep_worst_of_kind(kinds, tensor.kind, 0);
  }
  double worst = 0;
  for (const KindError& kind : kinds) {
    const std::vector<double> direction = direction_of(kind.kind, tensors, trained.size());
    double count = 0, seen = 0, square = 0;
    for (std::size_t i = 0; i < direction.size(); ++i) {
      const double gradient = direction[i] * static_cast<double>(gradients[i]);
      seen += gradient;
      square += gradient * gradient;
      count += std::abs(direction[i]);
    }
    const double step = kStep / std::sqrt(count);
    const double slope = (loss_at(direction, step) - loss_at(direction, -step)) / (2 * step);
    keep_worse(worst, std::abs(seen - slope) / std::sqrt(square));
  }
  return worst;
}

}  // namespace perf::workloads
