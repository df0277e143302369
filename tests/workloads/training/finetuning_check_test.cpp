#include "workloads/training/finetuning_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace perf::workloads {
namespace {

// A model that tells everything as it is, but for what a test breaks.
class Broken : public Finetuning {
 public:
  explicit Broken(Finetuning& model) : model_(model) {}

  std::function<void(std::vector<float>&)> break_gradients, break_parameters, break_logits;
  std::function<void(int, std::vector<float>&)> break_layer_input;
  double loss_factor = 1;
  bool skip_update = false;

  void forward() override { model_.forward(); }
  double loss() override { return loss_factor * model_.loss(); }
  void backward() override { model_.backward(); }
  void update() override {
    if (!skip_update)
      model_.update();
    updated_ = true;
  }
  double operations() const override { return model_.operations(); }
  const TrainingSetup& setup() const override { return model_.setup(); }
  const std::vector<int>& tokens() const override { return model_.tokens(); }
  const std::vector<int>& targets() const override { return model_.targets(); }
  using Finetuning::parameters;
  std::vector<float> parameters(std::size_t offset, std::size_t count) const override {
    std::vector<float> values = model_.parameters(offset, count);
    if (break_parameters && updated_)
      break_parameters(values);
    return values;
  }
  std::vector<float> adapters() const override { return model_.adapters(); }
  std::vector<float> gradients() const override {
    std::vector<float> values = model_.gradients();
    if (break_gradients)
      break_gradients(values);
    return values;
  }
  std::vector<float> layer_input(int layer) const override {
    std::vector<float> values = model_.layer_input(layer);
    if (break_layer_input)
      break_layer_input(layer, values);
    return values;
  }
  std::vector<float> logits(std::size_t row) override {
    std::vector<float> values = model_.logits(row);
    if (break_logits)
      break_logits(values);
    return values;
  }
  void set_trained(const std::vector<float>& values) override { model_.set_trained(values); }

 private:
  Finetuning& model_;
  bool updated_ = false;
};

struct FinetuningCheck : testing::TestWithParam<DType> {
  TrainingSetup setup = [] {
    TrainingSetup chosen;
    chosen.dtype = GetParam();
    chosen.loss_scale = GetParam() == DType::fp16 ? 1024 : 1;
    return small_setup(chosen);
  }();
  Tolerances allowed = tolerances(setup);
  SmallFinetuning small{setup, 1};
  Broken model{small.model()};
};

float largest(const std::vector<float>& values) {
  float size = 0;
  for (const float value : values)
    size = std::fmax(size, std::abs(value));
  return size;
}

TEST_P(FinetuningCheck, PassesWhatIsRight) {
  const ParityErrors errors = parity_errors(model);
  EXPECT_LT(errors.worst_layer(), allowed.forward);
  EXPECT_LT(errors.logits, allowed.forward);
  EXPECT_LT(errors.loss, allowed.loss);
  EXPECT_LT(errors.worst_gradient(), allowed.gradient);
  EXPECT_LT(finite_difference_error(model), allowed.difference);
  for (int layer = 0; layer < setup.shape.layers; ++layer)
    EXPECT_LT(layer_error(model, layer, 4), allowed.forward);
  model.loss();
  model.backward();
  EXPECT_LT(update_error(model), allowed.update);
}

TEST_P(FinetuningCheck, FailsOneWrongValueOfAnyLayer) {
  for (int broken = 0; broken <= setup.shape.layers; ++broken) {
    model.break_layer_input = [&](int layer, std::vector<float>& values) {
      if (layer == broken)
        values[77] += 2 * static_cast<float>(allowed.forward) * largest(values);
    };
    EXPECT_GT(parity_errors(model).worst_layer(), allowed.forward) << broken;
  }
}

TEST_P(FinetuningCheck, FailsAWrongLayerOfTheRealModel) {
  model.break_layer_input = [&](int layer, std::vector<float>& values) {
    if (layer == 2)
      values[70] += 2 * static_cast<float>(allowed.forward) * largest(values);
  };
  EXPECT_GT(layer_error(model, 1, 4), allowed.forward);
  EXPECT_LT(layer_error(model, 1, 1), allowed.forward);  // the value is in the second row
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
    for (std::size_t i = layout.gate_up(1); i < layout.down(1); ++i)
      values[i] *= 2;
  };
  EXPECT_GT(finite_difference_error(model), allowed.difference);
}

TEST_P(FinetuningCheck, FailsAnUpdateThatIsSkippedOrTouchesOneValueTooMany) {
  parity_errors(model);
  model.break_parameters = [&](std::vector<float>& values) { values[5] += 0.05F; };
  EXPECT_GT(update_error(model), allowed.update);
  SmallFinetuning other(setup, 1);
  Broken idle(other.model());
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

TEST(FirstLoss, IsNearWhatRandomWeightsGive) {
  const ModelShape shape{.vocabulary = 1000};
  EXPECT_LT(first_loss_error(shape, std::log(1000.0) + 0.13), kFirstLossTolerance);
  EXPECT_GT(first_loss_error(shape, 0.8 * std::log(1000.0)), kFirstLossTolerance);
  EXPECT_FALSE(first_loss_error(shape, std::nan("")) <= kFirstLossTolerance);
}

}  // namespace
}  // namespace perf::workloads
