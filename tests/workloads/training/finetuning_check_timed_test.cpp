#include "workloads/training/finetuning_check_timed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/workloads/training/broken_finetuning.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/trained_tensors.h"

namespace perf::workloads {
namespace {

TrainingSetup setup_of(DType dtype, int rank) {
  TrainingSetup setup;
  setup.dtype = dtype;
  setup.loss_scale = dtype == DType::fp16 ? 1024 : 1;
  setup.lora.rank = rank;
  TrainingSetup small = small_setup(setup);
  small.optimizer.adamw.learning_rate = 1e-4;  // as timed
  return small;
}

void way_back(Finetuning& model) {
  model.forward();
  model.loss();
  model.backward();
}

void train_step(Finetuning& model) {
  way_back(model);
  model.update();
}

class TimedModel : public testing::TestWithParam<std::tuple<DType, int>> {
 protected:
  TrainingSetup setup = setup_of(std::get<0>(GetParam()), std::get<1>(GetParam()));
  FinetuningInMemory training{setup, 1};
  BrokenFinetuning model{training.model()};
};

TEST_P(TimedModel, PassesWhatIsRightForEveryOptimizer) {
  for (const OptimizerKind kind :
       {OptimizerKind::adamw, OptimizerKind::momentum, OptimizerKind::sgd}) {
    setup.optimizer.kind = kind;
    FinetuningInMemory other(setup, 1);
    train_step(other.model());
    way_back(other.model());
    EXPECT_EQ(unreached_gradients(other.model()).count, 0U)
        << unreached_gradients(other.model()).first;
    const Unseen unmoved = unmoved_values(other.model());
    EXPECT_EQ(unmoved.count, 0U) << unmoved.first;
  }
}

// B is 0 before the first step, and so A has no gradient; B itself has.
TEST_P(TimedModel, AsksNothingOfAdaptersThatHaveNotMoved) {
  way_back(model);
  EXPECT_EQ(unreached_gradients(model).count, 0U) << unreached_gradients(model).first;
  EXPECT_EQ(unmoved_values(model).count, 0U);
}

TEST_P(TimedModel, FailsAWayBackThatStopsOrIsNotFinite) {
  train_step(model);
  way_back(model);
  const TrainedTensor stopped = trained_tensors(setup)[1];
  model.break_gradients_at = [&](std::size_t offset, std::vector<float>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (offset + i >= stopped.offset && offset + i < stopped.offset + stopped.count) {
        values[i] = 0;
      }
    }
  };
  EXPECT_EQ(unreached_gradients(model).count, 3U);
  EXPECT_EQ(unreached_gradients(model).first,
            stopped.kind + " at value " + std::to_string(stopped.offset));
  const std::size_t last = stopped.offset + stopped.count - 1;
  model.break_gradients_at = [&](std::size_t offset, std::vector<float>& values) {
    if (offset <= last && last < offset + values.size()) {
      values[last - offset] = std::numeric_limits<float>::infinity();
    }
  };
  EXPECT_GE(unreached_gradients(model).count, 1U);
}

// An optimizer that stops after the first tensors.
TEST_P(TimedModel, FailsAnUpdateThatStopsEarly) {
  train_step(model);
  way_back(model);
  const std::size_t end = trained_tensors(setup)[2].offset;
  model.break_update = [&](Finetuning& broken) {
    const std::size_t rest = setup.trained_parameters() - end;
    std::vector<float> kept = setup.trains_all() ? broken.parameters(end, rest) : broken.adapters();
    if (!setup.trains_all()) {
      kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(end));
    }
    broken.update();
    broken.set_trained(end, kept);
  };
  const Unseen unmoved = unmoved_values(model);
  EXPECT_GT(unmoved.count, trained_tensors(setup).size());
  EXPECT_NE(unmoved.first, "");
}

INSTANTIATE_TEST_SUITE_P(Types, TimedModel,
                         testing::Combine(testing::Values(DType::fp32, DType::bf16, DType::fp16),
                                          testing::Values(0, 4)),
                         [](const auto& made) {
                           return name_of(std::get<0>(made.param)) +
                                  (std::get<1>(made.param) > 0 ? "_lora" : "");
                         });

TEST(LossRise, AsksForAFallOnlyWhereOneIsCertain) {
  TrainingSetup setup;
  setup.optimizer.adamw.learning_rate = 1e-4;
  EXPECT_EQ(loss_rise(setup, 8, 7.5), 0);
  EXPECT_DOUBLE_EQ(loss_rise(setup, 8, 10), 0.25);
  EXPECT_TRUE(std::isnan(loss_rise(setup, 8, std::nan(""))));
  setup.optimizer.adamw.learning_rate = 1;
  EXPECT_EQ(loss_rise(setup, 8, 10), 0);
  EXPECT_TRUE(std::isnan(loss_rise(setup, 8, std::numeric_limits<double>::infinity())));
  setup.gradients_only = true;
  EXPECT_EQ(loss_rise(setup, 8, 8), 0);
  EXPECT_DOUBLE_EQ(loss_rise(setup, 8, 6), 0.25);
}

// A layer that was not computed again, however deep: its gradients are another layer's.
TEST(Checkpointing, IsHeldAgainstKeepingOnAModelAsDeep) {
  TrainingSetup large{.shape = model_shape("qwen2.5-0.5b")};
  TrainingSetup keeps = narrow_setup(large), again = keeps;
  EXPECT_EQ(keeps.shape.layers, 24);
  again.checkpointing = true;
  SmallFinetuning one(keeps, 1), other(again, 1);
  EXPECT_EQ(gradient_difference(other.model(), one.model()), 0);
  const ModelLayout layout(keeps.shape);
  BrokenFinetuning broken(other.model());
  broken.break_gradients = [&](std::vector<float>& values) {
    for (std::size_t i = layout.layer(17); i < layout.layer(18); ++i) {
      values[i] *= 1.1F;
    }
  };
  EXPECT_GT(gradient_difference(broken, one.model()), 0.01);
}

}  // namespace
}  // namespace perf::workloads
