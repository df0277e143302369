#include "workloads/reference/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace perf::workloads {
namespace {

using Values = std::vector<double>;

constexpr double kRate = 0.1, kDecay = 0.02;

OptimizerOptions options_for(OptimizerKind kind, double decay) {
  OptimizerOptions options;
  options.kind = kind;
  options.adamw.learning_rate = kRate;
  options.adamw.weight_decay = decay;
  options.momentum = 0.75;
  return options;
}

// The value after `steps` steps with the same gradient.
double after(const OptimizerOptions& options, double value, double gradient, int steps) {
  Values values = {value};
  ReferenceStates states;
  for (int step = 1; step <= steps; ++step) {
    reference_optimize(options, step, values, {gradient}, states);
  }
  return values[0];
}

TEST(ReferenceOptimizer, SgdGoesAlongTheGradient) {
  EXPECT_NEAR(after(options_for(OptimizerKind::sgd, 0), 3, 0.5, 4), 3 - 4 * kRate * 0.5, 1e-12);
}

TEST(ReferenceOptimizer, MomentumIsAGeometricSum) {
  // b_t = g (1 - m^t) / (1 - m); the sum of b_1 .. b_n is g (n - m (1 - m^n) / (1 - m)) / (1 - m).
  const double m = 0.75, n = 5, g = 0.5;
  const double sum = g * (n - m * (1 - std::pow(m, n)) / (1 - m)) / (1 - m);
  EXPECT_NEAR(after(options_for(OptimizerKind::momentum, 0), 3, g, 5), 3 - kRate * sum, 1e-12);
}

TEST(ReferenceOptimizer, AdamWTakesTheSignOfAConstantGradient) {
  // m_hat = g and v_hat = g^2 at every step once the bias is taken out.
  for (const double gradient : {-2.0, 1e-3}) {
    const double step = gradient / (std::abs(gradient) + AdamW{}.epsilon);
    EXPECT_NEAR(after(options_for(OptimizerKind::adamw, 0), 3, gradient, 6), 3 - 6 * kRate * step,
                1e-9);
  }
}

TEST(ReferenceOptimizer, AdamWOfTwoGradientsAsByHand) {
  const OptimizerOptions options = options_for(OptimizerKind::adamw, 0);
  Values values = {3};
  ReferenceStates states;
  reference_optimize(options, 1, values, {1}, states);
  reference_optimize(options, 2, values, {-2}, states);
  const double b1 = options.adamw.beta1, b2 = options.adamw.beta2;
  const double m = (b1 * (1 - b1) * 1 + (1 - b1) * -2) / (1 - b1 * b1);
  const double v = (b2 * (1 - b2) * 1 + (1 - b2) * 4) / (1 - b2 * b2);
  EXPECT_NEAR(values[0], 3 - kRate * (1 / (1 + 1e-8)) - kRate * m / (std::sqrt(v) + 1e-8), 1e-9);
}

TEST(ReferenceOptimizer, DecayIsApartFromTheGradient) {
  for (const OptimizerKind kind :
       {OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::momentum}) {
    EXPECT_NEAR(after(options_for(kind, kDecay), 3, 0, 2), 3 * std::pow(1 - kRate * kDecay, 2),
                1e-12)
        << name_of(kind);
  }
}

}  // namespace
}  // namespace perf::workloads
