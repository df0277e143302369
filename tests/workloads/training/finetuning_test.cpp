#include "workloads/training/finetuning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/causal_attention.h"
#include "workloads/training/attention_block.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_reference.h"
#include "workloads/training/trained_tensors.h"
#include "workloads/training/training_memory.h"

namespace perf::workloads {
namespace {

enum class Trained { everything, lora_qv, lora_all, lora_some_layers };

TrainingSetup setup_of(Trained trained) {
  TrainingSetup setup = brief_setup({});
  if (trained != Trained::everything) {
    setup.lora.rank = 4;
  }
  if (trained == Trained::lora_all || trained == Trained::lora_some_layers) {
    setup.lora.targets = {Projection::q,    Projection::k,  Projection::v,   Projection::o,
                          Projection::gate, Projection::up, Projection::down};
  }
  if (trained == Trained::lora_some_layers) {
    setup.lora.layers = {false, true, false};
  }
  return setup;
}

double step(Finetuning& model) {
  model.forward();
  const double loss = model.loss();
  model.backward();
  model.update();
  return loss;
}

using Case = std::tuple<DType, Trained, bool, std::string>;
class FinetuningParity : public testing::TestWithParam<Case> {};

TEST_P(FinetuningParity, MatchesTheReference) {
  const auto [dtype, trained, checkpointing, backend] = GetParam();
  TrainingSetup setup = setup_of(trained);
  setup.dtype = dtype;
  setup.checkpointing = checkpointing;
  setup.backend = backend_from(backend);
  if (setup.backend == Backend::openblas)  // attention does not depend on it
  {
    setup.length = small_setup(setup).length;
  }
  setup.loss_scale = dtype == DType::fp16 ? 1024 : 1;
  SmallFinetuning small(setup, 3);
  const ParityErrors errors = parity_errors(small.model());
  const Tolerances allowed = tolerances(setup);
  ASSERT_EQ(errors.layer_inputs.size(), 4U);
  for (std::size_t layer = 0; layer < errors.layer_inputs.size(); ++layer) {
    EXPECT_LT(errors.layer_inputs[layer], allowed.forward) << "layer " << layer;
  }
  EXPECT_LT(errors.logits, allowed.forward);
  EXPECT_LT(errors.loss, allowed.loss);
  for (const KindError& kind : errors.gradients) {
    EXPECT_LT(kind.error, allowed.gradient) << kind.kind;
  }
  EXPECT_LT(update_error(small.model()), allowed.update);
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  const auto& [dtype, trained, checkpointing, backend] = info.param;
  constexpr const char* kTrained[] = {"full", "lora_qv", "lora_all", "lora_some_layers"};
  return name_of(dtype) + "_" + kTrained[static_cast<int>(trained)] +
         (checkpointing ? "_checkpointing_" : "_") + backend;
}

INSTANTIATE_TEST_SUITE_P(All, FinetuningParity,
                         testing::Combine(testing::Values(DType::fp32, DType::bf16, DType::fp16),
                                          testing::Values(Trained::everything, Trained::lora_qv,
                                                          Trained::lora_all,
                                                          Trained::lora_some_layers),
                                          testing::Bool(), testing::ValuesIn(backend_names())),
                         name_of_case);

// An output of its own, no biases, RoPE scaled so that a few positions see it.
TEST(Finetuning, MatchesTheReferenceOfModelsOfOtherKinds) {
  for (const Trained trained : {Trained::everything, Trained::lora_all}) {
    for (const bool is_tied : {false, true}) {
      for (const DType dtype : {DType::fp32, DType::bf16}) {
        TrainingSetup setup = setup_of(trained);
        setup.dtype = dtype;
        setup.shape.is_tied = is_tied;
        setup.shape.has_qkv_bias = false;
        setup.shape.rope_scaling = {.factor = 4, .original_positions = 16};
        SmallFinetuning small(setup, 3);
        for (int repeated = 0; repeated < 2; ++repeated) {  // what a step leaves is not added to
          const ParityErrors errors = parity_errors(small.model());
          const Tolerances allowed = tolerances(setup);
          EXPECT_LT(errors.worst_layer(), allowed.forward) << errors.where_layer();
          EXPECT_LT(errors.logits, allowed.forward);
          EXPECT_LT(errors.loss, allowed.loss);
          EXPECT_LT(errors.worst_gradient(), allowed.gradient) << errors.where_gradient();
        }
        EXPECT_LT(finite_difference_error(small.model()), tolerances(setup).difference);
        EXPECT_LT(update_error(small.model()), tolerances(setup).update);
      }
    }
  }
}

// Gradients end in the middle of a layer where the lowest adapter stands there: each place once.
TEST(Finetuning, StopsAtTheLowestAdapterWithoutLosingAGradient) {
  for (const Projection target : {Projection::q, Projection::k, Projection::v, Projection::o,
                                  Projection::gate, Projection::up, Projection::down}) {
    for (const bool checkpointing : {false, true}) {
      TrainingSetup setup = setup_of(Trained::lora_some_layers);
      setup.lora.targets = {target};
      setup.lora.layers = {false, true, true};
      setup.checkpointing = checkpointing;
      SmallFinetuning small(setup, 3);
      EXPECT_LT(parity_errors(small.model()).worst_gradient(), tolerances(setup).gradient)
          << static_cast<int>(target);
    }
  }
}

TEST(Finetuning, AddsUpChunksOfRows) {
  for (const Trained trained : {Trained::everything, Trained::lora_qv}) {
    TrainingSetup setup = setup_of(trained);
    setup.batch = 31;  // 620 rows: more than one chunk of the loss, the last one not full
    ASSERT_GT(setup.rows(), static_cast<std::size_t>(setup.loss_rows));
    SmallFinetuning small(setup, 3);
    const ParityErrors errors = parity_errors(small.model());
    EXPECT_LT(errors.loss, tolerances(setup).loss);
    EXPECT_LT(errors.worst_gradient(), tolerances(setup).gradient);
  }
}

TEST(Finetuning, FollowsTheReferenceOverSteps) {
  for (const Trained trained : {Trained::everything, Trained::lora_all}) {
    for (const OptimizerKind kind :
         {OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::momentum}) {
      TrainingSetup setup = setup_of(trained);
      setup.optimizer.kind = kind;
      setup.optimizer.adamw.learning_rate = kind == OptimizerKind::adamw ? 1e-3 : 0.1;
      setup.optimizer.adamw.weight_decay = 0.1;
      SmallFinetuning small(setup, 3);
      Finetuning& model = small.model();
      const std::vector<double> frozen = doubles(model.parameters());
      std::vector<double> values = trained_values(model);
      const std::vector<double> first = values;
      ReferenceStates states;
      for (int count = 1; count <= 5; ++count) {
        const bool lora = !setup.trains_all();
        DecoderReference reference(setup, lora ? frozen : values,
                                   lora ? values : std::vector<double>(), model.tokens(),
                                   model.targets());
        const double want = reference.forward();
        reference_optimize(setup.optimizer, count, values, reference.backward(), states);
        // AdamW makes a step of the learning rate out of the sign of a gradient that is almost 0,
        // in a few of 100,000 coordinates: no more than 1e-6 of the loss.
        EXPECT_NEAR(step(model), want, 1e-5 * want) << name_of(kind) << ' ' << count;
      }
      const std::vector<double> got = trained_values(model);
      double off = 0, moved = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        off += (got[i] - values[i]) * (got[i] - values[i]);
        moved += (values[i] - first[i]) * (values[i] - first[i]);
      }
      EXPECT_GT(moved, 0);
      EXPECT_LT(std::sqrt(off / moved), 0.01) << name_of(kind);
    }
  }
}

TEST(Finetuning, GradientsMatchFiniteDifferencesOfItsOwnLoss) {
  for (const Trained trained : {Trained::everything, Trained::lora_all}) {
    SmallFinetuning small(setup_of(trained), 3);
    Finetuning& model = small.model();
    model.forward();
    model.loss();
    model.backward();
    const std::vector<float> gradients = model.gradients();
    const std::vector<double> values = trained_values(model);
    const auto loss_at = [&](std::size_t i, double shift) {
      std::vector<float> moved(values.begin(), values.end());
      moved[i] += static_cast<float>(shift);
      model.set_trained(moved);
      model.forward();
      return model.loss();
    };
    for (const TrainedTensor& tensor : trained_tensors(model.setup())) {
      std::size_t largest = tensor.offset;
      for (std::size_t i = tensor.offset; i < tensor.offset + tensor.count; ++i) {
        if (std::abs(gradients[i]) > std::abs(gradients[largest])) {
          largest = i;
        }
      }
      // A loss near 5 in floats is good to about 1e-7: 1e-5 of the slope; the rest is the
      // curvature.
      constexpr double kStep = 0.01;
      const double slope = (loss_at(largest, kStep) - loss_at(largest, -kStep)) / (2 * kStep);
      EXPECT_NEAR(gradients[largest], slope, 0.02 * std::abs(slope) + 3e-5) << tensor.kind;
    }
  }
}

TEST(Finetuning, CheckpointingChangesMemoryAndNoBit) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const Trained trained : {Trained::everything, Trained::lora_all}) {
      TrainingSetup setup = setup_of(trained);
      setup.dtype = dtype;
      Ledger plain, checkpointed;
      Finetuning::make(setup, 3, plain);
      SmallFinetuning keeps(setup, 3);
      setup.checkpointing = true;
      Finetuning::make(setup, 3, checkpointed);
      SmallFinetuning computes_again(setup, 3);
      for (int count = 0; count < 2; ++count) {
        EXPECT_EQ(step(keeps.model()), step(computes_again.model()));
        EXPECT_EQ(keeps.model().gradients(), computes_again.model().gradients());
      }
      // One set of three, and the inputs.
      EXPECT_LT(checkpointed.bytes(Purpose::activations), plain.bytes(Purpose::activations) / 2);
      EXPECT_EQ(checkpointed.bytes(Purpose::workspace), plain.bytes(Purpose::workspace));
    }
  }
}

TEST(Finetuning, LearnsInEveryType) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const Trained trained : {Trained::everything, Trained::lora_qv}) {
      TrainingSetup setup = setup_of(trained);
      setup.dtype = dtype;
      setup.loss_scale = dtype == DType::fp16 ? 1024 : 1;
      setup.optimizer.adamw = {.learning_rate = 1e-2, .weight_decay = 0};
      SmallFinetuning small(setup, 3);
      const double first = step(small.model());
      double last = first;
      for (int count = 1; count < 20; ++count) {
        last = step(small.model());
      }
      EXPECT_LT(last, 0.9 * first) << name_of(dtype) << ' ' << static_cast<int>(trained);
    }
  }
}

TEST(Finetuning, StatesMayHaveTheWeightsType) {
  TrainingSetup setup = setup_of(Trained::everything);
  setup.dtype = setup.state_dtype = DType::bf16;
  SmallFinetuning small(setup, 3);
  parity_errors(small.model());
  EXPECT_LT(update_error(small.model()), tolerances(setup).update);
  Ledger narrow, wide;
  Finetuning::make(setup, 3, narrow);
  setup.state_dtype = DType::fp32;
  Finetuning::make(setup, 3, wide);
  EXPECT_EQ(2 * narrow.bytes(Purpose::optimizer), wide.bytes(Purpose::optimizer));
}

TEST(Finetuning, TakesGradientsOnlyWithoutAnOptimizer) {
  TrainingSetup setup = setup_of(Trained::lora_qv);
  setup.gradients_only = true;
  Ledger counted;
  Finetuning::make(setup, 3, counted);
  EXPECT_EQ(counted.bytes(Purpose::optimizer), 0U);
  EXPECT_GT(counted.bytes(Purpose::gradients), 0U);
  SmallFinetuning small(setup, 3);
  EXPECT_LT(parity_errors(small.model()).worst_gradient(), tolerances(setup).gradient);
  EXPECT_THROW(small.model().update(), std::logic_error);
}

TEST(Finetuning, RefusesWhatContradictsItself) {
  Ledger counting;
  TrainingSetup setup = setup_of(Trained::everything);
  setup.state_dtype = DType::bf16;
  EXPECT_THROW(Finetuning::make(setup, 1, counting), std::invalid_argument);
  setup = setup_of(Trained::everything);
  setup.length = 0;
  EXPECT_THROW(Finetuning::make(setup, 1, counting), std::invalid_argument);
}

TEST(Finetuning, CountsOperations) {
  TrainingSetup setup = setup_of(Trained::everything);
  setup.batch = 2;
  setup.length = 20;
  const auto count = [&] {
    Ledger counting;
    return Finetuning::make(setup, 1, counting)->operations();
  };
  const QkvRows rows = qkv_rows(setup);
  const double forward = CausalAttention<float>::forward_operations(rows);
  const double backward = CausalAttention<float>::backward_operations(rows);
  // A layer: qkv 128x64, out 64x64, gate and up 192x64, down 64x96; the head 131x64.
  const double layer = 2.0 * 40 * (128 * 64 + 64 * 64 + 192 * 64 + 64 * 96);
  const double head = 2.0 * 40 * 131 * 64;
  EXPECT_DOUBLE_EQ(count(), 3 * (3 * layer + head) + 3 * (forward + backward));
  setup.checkpointing = true;  // computes more, achieves the same
  EXPECT_DOUBLE_EQ(count(), 3 * (3 * layer + head) + 3 * (forward + backward));

  // Adapters of rank 4 beside q (64x64) and v (32x64) of the upper two layers: the lowest layer has
  // no way back; in the one above it goes down to q and v, whose inputs' gradient nobody reads.
  setup.lora = {.rank = 4, .layers = {false, true, true}};
  const double adapters = 2.0 * 40 * 4 * (2 * 3 * (64 + 32) + (3 + 2) * (64 + 64));
  EXPECT_DOUBLE_EQ(count(), 2 * head + 3 * layer + 2 * layer - 2.0 * 40 * 128 * 64 + 3 * forward +
                                2 * backward + adapters);

  // Beside o alone: not even attention's way back in the lowest of them.
  setup.lora = {.rank = 4, .targets = {Projection::o}, .layers = {false, false, true}};
  EXPECT_DOUBLE_EQ(count(), 2 * head + 3 * layer + 2.0 * 40 * (192 * 64 + 64 * 96) + 3 * forward +
                                2.0 * 40 * 4 * (3 * 64 + 2 * 64));
}

}  // namespace
}  // namespace perf::workloads
