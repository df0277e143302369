#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/training/finetuning_in_memory.h"

namespace perf::workloads {

/// The same options (types, backend, adapters, checkpointing, optimizer, loss scale) on a model so
/// small that the reference's plain loops take milliseconds, and with steps so large that each part
/// of the update is above rounding in any type. Its sequences are longer than a tile of attention's
/// rows, and its rows more than a chunk of the loss.
TrainingSetup small_setup(const TrainingSetup& setup);
/// The same with short sequences: for finite differences, which take the loss dozens of times.
TrainingSetup brief_setup(const TrainingSetup& setup);

/// A model whose adapters are as after some steps: B is not zero, as it
/// is at first, so that every gradient is something.
class SmallFinetuning {
 public:
  SmallFinetuning(const TrainingSetup& setup, std::uint64_t seed);
  Finetuning& model() { return training_.model(); }

 private:
  FinetuningInMemory training_;
};

/// A tensor's largest error by its largest value; of one kind the worst.
struct KindError {
  std::string kind;
  double error = 0;
};

/// What a step computes against the reference on the same parameters.
struct ParityErrors {
  std::vector<double> layer_inputs;  ///< layer by layer; at last the last one's output
  double logits = 0, loss = 0;
  std::vector<KindError> gradients;

  double worst_layer() const;
  double worst_gradient() const;
  std::string where_layer() const;     ///< "input of layer 2"
  std::string where_gradient() const;  ///< the kind
};

/// Runs forward, loss and backward.
ParityErrors parity_errors(Finetuning& model);

/// The model's gradients against central differences of the reference's loss, which needs none of
/// its code for the way back: one random direction for each kind of tensor. Relative to what such a
/// direction sees of a gradient of this size. parity_errors() or a step without update() must have
/// run on the model's parameters.
double finite_difference_error(const Finetuning& model);

/// Two steps of the optimizer, the second with the states that the first left, each against the
/// reference with the model's own gradients (the first step of AdamW is nearly lr * sign(gradient),
/// so that a gradient of almost 0 would make a difference out of rounding). What rounding into
/// the type explains is forgiven; the rest is relative to the largest change.
/// backward() must have run on the model's parameters, and no update() before.
double update_error(Finetuning& model);

/// What random weights give: ln V, and what logits of variance 1/4 add.
double expected_first_loss(const ModelShape& shape);
/// How far a first loss is from that, relative.
double first_loss_error(const ModelShape& shape, double loss);

/// One layer of any model, the real one too, against the reference: the first `rows`
/// rows of the first sequence, and the last, whose attention sees all of it. Runs forward().
double layer_error(Finetuning& model, int layer, std::size_t rows);

/// What rounding to the nearest can change, by the size of the value: half of the last place of 1.
double rounding_of(DType dtype);

/// What each error may be. Measured over seeds, adapters and backends, the largest are a third to a
/// half of these.
struct Tolerances {
  double forward = 0;  ///< layers, logits
  double layer = 0;    ///< layer_error
  double loss = 0;
  double gradient = 0;    ///< by kind
  double difference = 0;  ///< finite_difference_error
  double update = 0;
};
Tolerances tolerances(const TrainingSetup& setup);
inline constexpr double kFirstLossTolerance = 0.1;

}  // namespace perf::workloads
