#include "workloads/training/mlp_stack_check.h"

#include <gtest/gtest.h>

#include "workloads/training/mlp_stack_reference.h"

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
  EXPECT_LT(forward_error(stack, 4), mlp_tolerances(DType::fp32).forward);
  EXPECT_LT(gradient_error(stack), mlp_tolerances(DType::fp32).gradient);
  EXPECT_LT(update_error(stack, {.learning_rate = 1e-4}), mlp_tolerances(DType::fp32).update);
}

TEST_F(MlpStackCheck, FailsOneWrongOutput) {
  stack.output()[33] *= 1.001F;
  EXPECT_GT(forward_error(stack, 4), mlp_tolerances(DType::fp32).forward);
}

TEST_F(MlpStackCheck, FailsOneWrongGradientInAnyArray) {
  const MlpShape& shape = stack.shape();
  for (const std::size_t offset : {shape.w1(0), shape.b1(1), shape.w2(1), shape.b2(0)}) {
    float& gradient = gradients()[offset + 3];
    const float before = gradient;
    gradient += 1e-3F;
    EXPECT_GT(gradient_error(stack), mlp_tolerances(DType::fp32).gradient) << offset;
    gradient = before;
  }
  EXPECT_LT(gradient_error(stack), mlp_tolerances(DType::fp32).gradient);
}

TEST_F(MlpStackCheck, FailsWrongMoments) {
  stack.update({.learning_rate = 0.1});  // leaves moments that a first step does not have
  stack.forward();
  stack.loss();
  stack.backward();
  EXPECT_GT(update_error(stack, {.learning_rate = 1e-4}), mlp_tolerances(DType::fp32).update);
}

template <class T>
class MlpStackCheckOf : public testing::Test {};
using NarrowTypes = testing::Types<Bf16, Fp16>;
TYPED_TEST_SUITE(MlpStackCheckOf, NarrowTypes);

TYPED_TEST(MlpStackCheckOf, PassesWhatIsRightAndSeesWhatIsNot) {
  const MlpTolerances allowed = mlp_tolerances(kDType<TypeParam>);
  for (const Backend backend : {Backend::openblas, Backend::eigen, Backend::reference}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      MlpStackOf<TypeParam> stack({.layers = 2, .hidden = 32, .tokens = 48}, backend, seed);
      stack.forward();
      const double loss = stack.loss();
      stack.backward();
      MlpReference reference(stack);
      reference.forward();
      EXPECT_NEAR(loss / reference.loss(), 1, allowed.forward);
      EXPECT_LT(forward_error(stack, 4), allowed.forward);
      EXPECT_LT(gradient_error(stack), allowed.gradient);
      auto* gradients = const_cast<TypeParam*>(stack.gradients());
      const std::size_t place = stack.shape().w1(1) + 7;
      const TypeParam before = gradients[place];
      const double moved = stack.loss_scale() / (48 * 32);
      gradients[place] = narrow<TypeParam>(widen(before) + static_cast<float>(moved));
      EXPECT_GT(gradient_error(stack), allowed.gradient);
      gradients[place] = before;
      EXPECT_LT(update_error(stack, {.learning_rate = 1e-4}), allowed.update);
      // A step that is larger than a last place: moments that a first one does not have show.
      stack.update({.learning_rate = 0.1});
      stack.forward();
      stack.loss();
      stack.backward();
      EXPECT_GT(update_error(stack, {.learning_rate = 0.1}), allowed.update);
      MlpStackOf<TypeParam> other({.layers = 2, .hidden = 32, .tokens = 48}, backend, seed);
      other.forward();
      other.loss();
      other.backward();
      EXPECT_LT(update_error(other, {.learning_rate = 0.1}), allowed.update);
    }
  }
}

TYPED_TEST(MlpStackCheckOf, LearnsItsTarget) {
  MlpStackOf<TypeParam> stack({.layers = 1, .hidden = 16, .tokens = 8}, Backend::openblas, 5);
  double first = 0, last = 0;
  for (int step = 0; step < 60; ++step) {
    stack.forward();
    last = stack.loss();
    first = step == 0 ? last : first;
    stack.backward();
    stack.update({.learning_rate = 1e-2});
  }
  EXPECT_LT(last, first / 10);
}

}  // namespace
}  // namespace perf::workloads
