#include "workloads/training/mlp_stack_check.h"

#include <gtest/gtest.h>

namespace perf::workloads {
namespace {

struct MlpStackCheck : testing::Test {
  MlpStack stack{{.layers = 2, .hidden = 32, .tokens = 48}, Backend::openblas, 1};
  void SetUp() override {
    stack.forward();
    stack.loss();
    stack.backward();
  }
  // The emitted arrays are read-only outside the stack; a test may break them.
  float* gradients() { return const_cast<float*>(stack.gradients()); }
};

TEST_F(MlpStackCheck, PassesWhatIsRight) {
  EXPECT_LT(forward_error(stack, 4), kForwardTolerance);
  EXPECT_LT(gradient_error(stack), kGradientTolerance);
  EXPECT_LT(update_error(stack, {.learning_rate = 1e-4}), kUpdateTolerance);
}

TEST_F(MlpStackCheck, FailsOneWrongOutput) {
  stack.output()[33] *= 1.001F;
  EXPECT_GT(forward_error(stack, 4), kForwardTolerance);
}

TEST_F(MlpStackCheck, FailsOneWrongGradientInAnyArray) {
  const MlpShape& shape = stack.shape();
  for (const std::size_t offset : {shape.w1(0), shape.b1(1), shape.w2(1), shape.b2(0)}) {
    float& gradient = gradients()[offset + 3];
    const float before = gradient;
    gradient += 1e-3F;
    EXPECT_GT(gradient_error(stack), kGradientTolerance) << offset;
    gradient = before;
  }
  EXPECT_LT(gradient_error(stack), kGradientTolerance);
}

TEST_F(MlpStackCheck, FailsWrongMoments) {
  stack.update({.learning_rate = 0.1});  // leaves moments that a first step does not have
  stack.forward();
  stack.loss();
  stack.backward();
  EXPECT_GT(update_error(stack, {.learning_rate = 1e-4}), kUpdateTolerance);
}

}  // namespace
}  // namespace perf::workloads
