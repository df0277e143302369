#include "workloads/training/finetuning_in_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "workloads/model/checkpoint.h"
#include "workloads/program/run_command.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_check_timed.h"
#include "workloads/training/finetuning_reference.h"
#include "workloads/training/finetuning_workloads.h"
#include "workloads/training/starting_point.h"

namespace perf::workloads {
namespace {

TEST(FinetuningInMemory, HoldsWhatACountingLedgerCounts) {
  const TrainingSetup setup = small_setup({});
  Ledger counted;
  Finetuning::make(setup, 3, counted);
  FinetuningInMemory training(setup, 3);
  EXPECT_FALSE(training.memory().counting());
  for (std::size_t i = 0; i < kPurposeNames.size(); ++i) {
    const auto purpose = static_cast<Purpose>(i);
    EXPECT_EQ(training.memory().bytes(purpose), counted.bytes(purpose)) << kPurposeNames[i];
  }
  EXPECT_GT(training.memory().total(), 0U);
  training.model().forward();  // in that memory
  EXPECT_GT(training.model().loss(), 0);
}

TEST(FinetuningInMemory, RefusesWhatMakeRefuses) {
  TrainingSetup setup = small_setup({});
  setup.length = 0;
  EXPECT_THROW(FinetuningInMemory(setup, 1), std::invalid_argument);
}

/// A checkpoint of another seed than the trainings'.
class TrainingFromCheckpoint : public testing::Test {
 protected:
  TrainingFromCheckpoint() {
    setup_.shape.is_tied = setup_.shape.has_qkv_bias = false;
    StartingPoint start;
    start.shape = setup_.shape;
    start.dtype = DType::bf16;
    start.seed = 11;
    write_starting_point(start, path_);
  }
  ~TrainingFromCheckpoint() override { std::filesystem::remove(path_); }

  std::vector<double> stored() const {
    const Checkpoint checkpoint(path_);
    std::vector<double> values;
    std::vector<float> part;
    for (const ModelTensor& tensor : ModelLayout(setup_.shape).tensors()) {
      part.resize(tensor.values());
      checkpoint.read(tensor, 0, part.size(), part.data());
      values.insert(values.end(), part.begin(), part.end());
    }
    return values;
  }
  static double first_loss(FinetuningInMemory& training) {
    training.model().forward();
    return training.model().loss();
  }

  TrainingSetup setup_ = small_setup({});
  const std::string path_ = testing::TempDir() + "training_from_checkpoint_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() +
                            ".safetensors";
};

TEST_F(TrainingFromCheckpoint, HasTheReferencesLossAndNotThatOfRandomWeights) {
  const Checkpoint checkpoint(path_);
  FinetuningInMemory training(setup_, 3, &checkpoint), random(setup_, 3);
  DecoderReference reference(setup_, stored(), {}, training.model().tokens(),
                             training.model().targets());
  const double want = reference.forward();
  EXPECT_NEAR(first_loss(training) / want, 1, tolerances(setup_).loss);
  EXPECT_GT(std::abs(first_loss(random) / want - 1), 1e-3);
}

TEST_F(TrainingFromCheckpoint, SeesWeightsOfAnotherOne) {
  const Checkpoint checkpoint(path_);
  const SeededParameters other(setup_.shape, 12);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    TrainingSetup setup = setup_;
    setup.dtype = dtype;
    FinetuningInMemory training(setup, 3, &checkpoint);
    const StartErrors right = start_errors(training.model(), checkpoint);
    EXPECT_LE(right.weights, rounding_of(dtype));
    EXPECT_LT(right.logits, tolerances(setup).forward);
    EXPECT_GT(start_errors(training.model(), other).weights, 0.1);
  }
  Ledger counted;
  Finetuning::make(setup_, 3, counted);
  Ledger memory(counted);
  std::filesystem::resize_file(path_, 100);
  EXPECT_THROW(Finetuning::make(setup_, 3, memory, &checkpoint), std::exception);
}

TEST_F(TrainingFromCheckpoint, PassesItsChecks) {
  for (const Workload& workload :
       {training_full_finetune(), training_lora_finetune(), training_gradient()}) {
    for (const perf_compare::StepEmitter& out :
         run_workload(workload, {{"checkpoint", path_}, {"seq-len", "16"}, {"steps", "2"}})) {
      bool is_held = false;
      for (const perf_compare::Check& check : out.checks()) {
        EXPECT_TRUE(check.passed()) << workload.name << " " << check.name << " " << check.error;
        EXPECT_NE(check.name, "first_loss_is_random");
        is_held = is_held || check.name == "weights_match_checkpoint";
      }
      EXPECT_TRUE(is_held);
    }
  }
}

}  // namespace
}  // namespace perf::workloads
