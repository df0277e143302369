#include "workloads/training/mlp_stack.h"

#include <gtest/gtest.h>

#include <cmath>

#include "workloads/kernels/agreement.h"
#include "workloads/training/mlp_stack_reference.h"

namespace perf::workloads {
namespace {

constexpr MlpShape kSmall{.layers = 2, .hidden = 8, .tokens = 5};

TEST(MlpReference, GradientsMatchFiniteDifferences) {
  MlpReference network(MlpStack(kSmall, Backend::reference, 3));
  network.forward();
  network.backward();
  const std::vector<double> gradients = network.gradients;
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < network.parameters.size(); i += 7) {
    const double before = network.parameters[i];
    network.parameters[i] = before + kStep;
    network.forward();
    const double up = network.loss();
    network.parameters[i] = before - kStep;
    network.forward();
    const double down = network.loss();
    network.parameters[i] = before;
    // Central differences of a smooth function in doubles: 1e-10 truncation, 1e-11 rounding.
    ASSERT_NEAR(gradients[i], (up - down) / (2 * kStep), 1e-8) << i;
  }
}

class MlpStackBackends : public testing::TestWithParam<Backend> {};

TEST_P(MlpStackBackends, MatchesReferenceOverSteps) {
  const MlpShape shape{.layers = 3, .hidden = 24, .tokens = 31};
  MlpStack stack(shape, GetParam(), 5);
  MlpReference reference(stack);
  const AdamW options{.learning_rate = 1e-3};
  for (int step = 1; step <= 3; ++step) {
    stack.forward();
    const double loss = stack.loss();
    stack.backward();
    reference.forward();
    reference.backward();
    EXPECT_NEAR(loss, reference.loss(), 1e-5 * loss);
    EXPECT_LT(largest_relative_error(stack.gradients(), reference.gradients.data(),
                                     reference.gradients.size()),
              1e-3);  // parameters drift apart by what the first updates make of tiny gradients
    stack.update(options);
    reference.update(options, step);
  }
}

TEST_P(MlpStackBackends, LearnsItsTarget) {
  MlpStack stack({.layers = 1, .hidden = 16, .tokens = 8}, GetParam(), 5);
  double first = 0, last = 0;
  for (int step = 0; step < 60; ++step) {
    stack.forward();
    last = stack.loss();
    if (step == 0) {
      first = last;
    }
    stack.backward();
    stack.update({.learning_rate = 1e-2});
  }
  EXPECT_LT(last, first / 10);
}

INSTANTIATE_TEST_SUITE_P(All, MlpStackBackends,
                         testing::Values(Backend::openblas, Backend::eigen, Backend::reference));

TEST(MlpShape, CountsParametersOperationsAndBytes) {
  const MlpShape full{.layers = 4, .hidden = 2048, .tokens = 4096};
  EXPECT_EQ(full.parameters(), 4U * (2 * 2048 * 8192 + 8192 + 2048));
  // 6 products of 2 N H 4H a layer, less one.
  EXPECT_DOUBLE_EQ(full.operations(), 23 * 2.0 * 4096 * 2048 * 8192);
  EXPECT_EQ(full.w1(1), full.b2(0) + 2048);
  EXPECT_GT(full.bytes(), 4 * full.parameters() * sizeof(float));
}

TEST(MlpStack, DependsOnItsSeedAlone) {
  const MlpStack a(kSmall, Backend::openblas, 1), b(kSmall, Backend::openblas, 1),
      c(kSmall, Backend::openblas, 2);
  const std::size_t count = kSmall.parameters();
  EXPECT_EQ(largest_relative_error(a.parameters(), b.parameters(), count), 0);
  EXPECT_GT(largest_relative_error(a.parameters(), c.parameters(), count), 0.1);
}

}  // namespace
}  // namespace perf::workloads
