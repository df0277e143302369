#pragma once

#include <cstddef>
#include <string>

#include "workloads/training/finetuning.h"

namespace perf::workloads {

// What the model that was timed shows of its own way back and its own update. The reference would
// take minutes for it; these look at a few values of each trained tensor, its first, middle and
// last ones, and see a part of the model that a step leaves out.

/// Places that should have shown something and did not.
struct Unseen {
  std::size_t count = 0;
  std::string first;  ///< "down at value 4711"; empty: none
};

/// Gradients that are not finite, or 0 throughout. loss() and backward() must have run. An
/// adapter's A counts once its B is not 0; a single position, which sees only itself, sends nothing
/// back to queries and keys; and the embedding may have zeros in fp16, where p / rows can be too
/// small.
Unseen unreached_gradients(const Finetuning& model);

/// Values that update() does not move. Each is set to 0 first: beside 1 a small step would be
/// rounded away in 16 bits. Steps too small for fp16 are not asked for. backward() must have run;
/// the model is of no use afterwards.
Unseen unmoved_values(Finetuning& model);

/// How far the loss rose over a run's steps on one batch, by its size. AdamW at a rate of 1e-4 or
/// less must not let it rise; with other optimizers and rates it may do what it likes as long as it
/// is finite (0 then, NaN otherwise); and gradients alone change nothing.
double loss_rise(const TrainingSetup& setup, double first, double last);

/// A model as deep as `setup`'s and as wide as a few values, with its adapters beside the same
/// layers.
TrainingSetup narrow_setup(const TrainingSetup& setup);

/// The gradients of two models against each other, the worst tensor's: one keeps what the other
/// computes again. Runs forward, loss and backward on both.
double gradient_difference(Finetuning& one, Finetuning& other);

/// Before any step, how far a model is from the source that its weights come from.
struct StartErrors {
  /// Of the first, middle and last values of each tensor, rounded into the model's type.
  double weights = 0;
  /// The logits of a sequence's first tokens against plain loops over the model's weights.
  double logits = 0;
};
StartErrors start_errors(Finetuning& model, const ParameterSource& source);

}  // namespace perf::workloads
