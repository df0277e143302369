#include "workloads/kernels/adamw.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {
namespace {

// One parameter, by hand: g = 0.5, so m_hat = g and v_hat = g^2 at the first step, and the update
// is lr (1 + decay p).
TEST(AdamW, FirstStepByHand) {
  const AdamW options{.learning_rate = 0.1, .weight_decay = 0.01};
  for (const auto update : {adamw<float>, adamw_reference<float>}) {
    float p = 2, g = 0.5, m = 0, v = 0;
    update(options, 1, 1, 1, &p, &g, &m, &v);
    EXPECT_NEAR(p, 2 - 0.1 * (1 + 0.01 * 2), 1e-6);
    EXPECT_NEAR(m, 0.05, 1e-8);
    EXPECT_NEAR(v, 0.00025, 1e-9);
  }
}

TEST(AdamW, MatchesReferenceOverManySteps) {
  constexpr std::size_t kCount = 1003;
  const AdamW options{.learning_rate = 1e-2};
  std::vector<float> p = random_values(kCount, 1), p_reference = p;
  std::vector<float> m(kCount), v(kCount), m_reference(kCount), v_reference(kCount);
  for (int step = 1; step <= 20; ++step) {
    const std::vector<float> g = random_values(kCount, 100 + static_cast<std::uint32_t>(step));
    adamw(options, 1, step, kCount, p.data(), g.data(), m.data(), v.data());
    adamw_reference(options, 1, step, kCount, p_reference.data(), g.data(), m_reference.data(),
                    v_reference.data());
  }
  EXPECT_LT(largest_relative_error(p.data(), p_reference.data(), kCount), 2e-6);
  EXPECT_LT(largest_relative_error(m.data(), m_reference.data(), kCount), 1e-6);
  EXPECT_LT(largest_relative_error(v.data(), v_reference.data(), kCount), 1e-6);
}

}  // namespace
}  // namespace perf::workloads
