#include "workloads/kernels/gemm.h"

#include <gtest/gtest.h>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/agreement.h"
#include "workloads/kernels/gemm_rate.h"

namespace perf::workloads {
namespace {

TEST(GemmReference, MatchesResultsByHand) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};     // (2,3), or (3,2) transposed
  const std::vector<float> b = {7, 8, 9, 10, 11, 12};  // (3,2)
  std::vector<float> c = {100, 100, 100, 100};         // (2,2)
  gemm_reference({.m = 2, .n = 2, .k = 3}, a.data(), b.data(), c.data());
  EXPECT_EQ(c, (std::vector<float>{58, 64, 139, 154}));
  gemm_reference({.m = 2, .n = 2, .k = 3, .beta = 1}, a.data(), b.data(), c.data());
  EXPECT_EQ(c, (std::vector<float>{116, 128, 278, 308}));
  gemm_reference({.m = 2, .n = 2, .k = 3, .transpose_a = true}, a.data(), b.data(), c.data());
  EXPECT_EQ(c, (std::vector<float>{7 + 27 + 55, 8 + 30 + 60, 14 + 36 + 66, 16 + 40 + 72}));
}

TEST(Gemm, BackendsMatchReferenceInEveryForm) {
  for (const std::string& name : backend_names()) {
    const Backend backend = backend_from(name);
    for (int form = 0; form < 8; ++form) {
      const Gemm shape{.m = 37,
                       .n = 70,
                       .k = 129,
                       .transpose_a = (form & 1) != 0,
                       .transpose_b = (form & 2) != 0,
                       .beta = (form & 4) != 0 ? 1.0F : 0.0F};
      const std::vector<float> a = random_values(37 * 129, 1), b = random_values(129 * 70, 2);
      std::vector<float> c = random_values(37 * 70, 3), want = c;
      gemm(backend, shape, a.data(), b.data(), c.data());
      gemm(Backend::reference, shape, a.data(), b.data(), want.data());
      EXPECT_LT(largest_relative_error(c.data(), want.data(), c.size()), 2e-6) << form;
    }
  }
}

TEST(Gemm, BetaZeroOverwritesNan) {
  const std::vector<float> a = random_values(16 * 16, 1), b = random_values(16 * 16, 2);
  for (const std::string& name : backend_names()) {
    const Backend backend = backend_from(name);
    std::vector<float> c(16 * 16, NAN);
    gemm(backend, {.m = 16, .n = 16, .k = 16}, a.data(), b.data(), c.data());
    for (const float value : c) {
      ASSERT_EQ(value, value);
    }
  }
}

TEST(Gemm, UnknownBackendIsRefused) {
  EXPECT_THROW(backend_from("mkl"), std::invalid_argument);
}

TEST(GemmRate, MeasuresOrDoesNot) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    GemmRate rate(64, dtype);
    EXPECT_EQ(rate.rate(), 0);
    rate.measure(3);
    EXPECT_GT(rate.rate(), 1e6);
  }
  GemmRate none(0);
  none.measure(3);
  EXPECT_EQ(none.rate(), 0);
}

}  // namespace
}  // namespace perf::workloads
