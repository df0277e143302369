#include "workloads/training/finetuning_in_memory.h"

#include <gtest/gtest.h>

#include "workloads/training/finetuning_check.h"

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

}  // namespace
}  // namespace perf::workloads
