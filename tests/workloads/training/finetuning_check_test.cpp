#include "workloads/training/finetuning_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/workloads/training/broken_finetuning.h"

namespace perf::workloads {
namespace {

struct FinetuningCheck : testing::TestWithParam<DType> {
  TrainingSetup setup = [] {
    TrainingSetup chosen;
    chosen.dtype = GetParam();
    chosen.loss_scale = GetParam() == DType::fp16 ? 1024 : 1;
    return small_setup(chosen);
  }();
  Tolerances allowed = tolerances(setup);
  SmallFinetuning small{setup, 1};
  BrokenFinetuning model{small.model()};
};

float largest(const std::vector<float>& values) {
  float size = 0;
  for (const float value : values) {
    size = std::fmax(size, std::abs(value));
  }
  return size;
}

TEST_P(FinetuningCheck, PassesWhatIsRight) {
  const ParityErrors errors = parity_errors(model);
  EXPECT_LT(errors.worst_layer(), allowed.forward);
  EXPECT_LT(errors.logits, allowed.forward);
  EXPECT_LT(errors.loss, allowed.loss);
  EXPECT_LT(errors.worst_gradient(), allowed.gradient);
  EXPECT_LT(finite_difference_error(model), allowed.difference);
  for (int layer = 0; layer < setup.shape.layers; ++layer) {
    EXPECT_LT(layer_error(model, layer, 4), allowed.layer);
  }
  model.loss();
  model.backward();
  EXPECT_LT(update_error(model), allowed.update);
}

TEST_P(FinetuningCheck, FailsOneWrongValueOfAnyLayer) {
  for (int broken = 0; broken <= setup.shape.layers; ++broken) {
    model.break_layer_input = [&](int layer, std::vector<float>& values) {
      if (layer == broken) {
        values[77] += 2 * static_cast<float>(allowed.forward) * largest(values);
      }
    };
    EXPECT_GT(parity_errors(model).worst_layer(), allowed.forward) << broken;
  }
}

TEST_P(FinetuningCheck, FailsAWrongLayerOfTheRealModel) {
  std::size_t broken_row = 1;
  model.break_layer_input = [&](int layer, std::vector<float>& values) {
    if (layer == 2) {
      values[64 * broken_row + 6] += 2 * static_cast<float>(allowed.layer) * largest(values);
    }
  };
  EXPECT_GT(layer_error(model, 1, 4), allowed.layer);
  EXPECT_LT(layer_error(model, 1, 1), allowed.layer);  // which does not look at the second row
  broken_row = 71;
  EXPECT_GT(layer_error(model, 1, 1), allowed.layer) << "the last row";
}

TEST_P(FinetuningCheck, FailsWrongLogitsAndAWrongLoss) {
  model.break_logits = [&](std::vector<float>& values) {
    values[130] += 2 * static_cast<float>(allowed.forward) * largest(values);
  };
  model.loss_factor = 1 + 2 * allowed.loss;
  const ParityErrors errors = parity_errors(model);
  EXPECT_GT(errors.logits, allowed.forward);
  EXPECT_GT(errors.loss, allowed.loss);
  EXPECT_LT(errors.worst_layer(), allowed.forward);
  EXPECT_LT(errors.worst_gradient(), allowed.gradient);
}

TEST_P(FinetuningCheck, FailsOneWrongGradientOfAnyKind) {
  const ModelLayout layout(setup.shape);
  for (const std::size_t first : {layout.embedding(), layout.attention_norm(2), layout.qkv(1),
                                  layout.qkv_bias(0), layout.out(1), layout.mlp_norm(1),
                                  layout.gate_up(2), layout.down(0), layout.final_norm()}) {
    model.break_gradients = [&](std::vector<float>& values) {
      values[first + 3] += 2 * static_cast<float>(allowed.gradient) * largest(values);
    };
    EXPECT_GT(parity_errors(model).worst_gradient(), allowed.gradient) << first;
  }
}

// The way back of one matrix wrong by a factor, as where a scale is forgotten.
TEST_P(FinetuningCheck, FiniteDifferencesFailAWrongFactor) {
  parity_errors(model);
  const ModelLayout layout(setup.shape);
  model.break_gradients = [&](std::vector<float>& values) {
    for (std::size_t i = layout.gate_up(1); i < layout.down(1); ++i) {
      values[i] *= 2;
    }
  };
  EXPECT_GT(finite_difference_error(model), allowed.difference);
}

TEST_P(FinetuningCheck, FailsAnUpdateThatIsSkippedOrTouchesOneValueTooMany) {
  parity_errors(model);
  model.break_parameters = [&](std::vector<float>& values) { values[5] += 0.05F; };
  EXPECT_GT(update_error(model), allowed.update);
  SmallFinetuning other(setup, 1);
  BrokenFinetuning idle(other.model());
  parity_errors(idle);
  idle.skip_update = true;
  EXPECT_GT(update_error(idle), allowed.update);
}

TEST_P(FinetuningCheck, FailsStatesThatAreNotZeroAtFirst) {
  parity_errors(small.model());
  small.model().update();
  parity_errors(small.model());
  EXPECT_GT(update_error(small.model()), allowed.update);
}

TEST_P(FinetuningCheck, FailsNaN) {
  model.break_gradients = [](std::vector<float>& values) {
    values[100] = std::numeric_limits<float>::quiet_NaN();
  };
  const ParityErrors errors = parity_errors(model);
  EXPECT_FALSE(errors.worst_gradient() <= allowed.gradient);
  EXPECT_FALSE(finite_difference_error(model) <= allowed.difference);
  EXPECT_FALSE(update_error(model) <= allowed.update);
}

INSTANTIATE_TEST_SUITE_P(Types, FinetuningCheck,
                         testing::Values(DType::fp32, DType::bf16, DType::fp16),
                         [](const auto& type) { return name_of(type.param); });

TEST(SmallSetup, KeepsTheOptionsAndTheHeightsOfAdapters) {
  TrainingSetup large{.shape = model_shape("qwen2.5-0.5b"), .dtype = DType::bf16};
  large.checkpointing = true;
  large.lora.rank = 8;
  EXPECT_TRUE(small_setup(large).lora.layers.empty());
  large.lora.layers = std::vector<bool>(24, false);
  large.lora.layers.back() = true;
  const TrainingSetup small = small_setup(large);
  EXPECT_EQ(small.lora.layers, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(small.dtype, DType::bf16);
  EXPECT_TRUE(small.checkpointing);
  large.lora.layers = std::vector<bool>(24, false);
  large.lora.layers[5] = true;  // none of the heights that are looked at: the top stands in
  EXPECT_EQ(small_setup(large).lora.layers, (std::vector<bool>{false, false, true}));
}

// So that the check sees the seams between them.
TEST(SmallSetup, HasMoreThanOneTileOfAttentionAndMoreThanOneChunkOfTheLoss) {
  const TrainingSetup small = small_setup({});
  EXPECT_GT(small.length, 64);
  EXPECT_NE(small.length % 64, 0);
  EXPECT_GT(small.rows(), 2 * static_cast<std::size_t>(small.loss_rows));
}

TEST(ParityErrors, NameTheWorstPlace) {
  ParityErrors errors;
  errors.layer_inputs = {0, 2e-7, 3e-7, 1e-7};
  errors.gradients = {{"qkv", 1e-6}, {"down", std::nan("")}, {"out", 1e-5}};
  EXPECT_EQ(errors.where_layer(), "input of layer 2");
  EXPECT_EQ(errors.where_gradient(), "down");
  errors.layer_inputs[3] = 1;
  EXPECT_EQ(errors.where_layer(), "the last layer's output");
}

TEST(FirstLoss, IsNearWhatRandomWeightsGive) {
  const ModelShape shape{.vocabulary = 1000};
  EXPECT_LT(first_loss_error(shape, std::log(1000.0) + 0.13), kFirstLossTolerance);
  EXPECT_GT(first_loss_error(shape, 0.8 * std::log(1000.0)), kFirstLossTolerance);
  EXPECT_FALSE(first_loss_error(shape, std::nan("")) <= kFirstLossTolerance);
}

}  // namespace
}  // namespace perf::workloads
