#include "workloads/kernels/cross_entropy.h"

#include <limits>
#include <numeric>

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"

namespace perf::workloads {
namespace {

struct Reference {
  double loss = 0;
  std::vector<double> grad;
};

// Plain loops in double precision over the same rounded logits.
Reference reference(const std::vector<double>& logits, const std::vector<int>& targets,
                    std::size_t vocabulary, double scale) {
  Reference result;
  for (std::size_t row = 0; row < targets.size(); ++row) {
    const double* x = logits.data() + row * vocabulary;
    const double largest = *std::max_element(x, x + vocabulary);
    double sum = 0;
    for (std::size_t i = 0; i < vocabulary; ++i) {
      sum += std::exp(x[i] - largest);
    }
    const auto target = static_cast<std::size_t>(targets[row]);
    result.loss += std::log(sum) + largest - x[target];
    for (std::size_t i = 0; i < vocabulary; ++i) {
      result.grad.push_back(scale * (std::exp(x[i] - largest) / sum - (i == target ? 1 : 0)));
    }
  }
  return result;
}

std::vector<int> some_targets(std::size_t rows, std::size_t vocabulary) {
  std::vector<int> targets;
  for (std::size_t row = 0; row < rows; ++row) {
    targets.push_back(static_cast<int>((row * 7919 + 3) % vocabulary));
  }
  return targets;
}

template <class T>
class CrossEntropy : public testing::Test {};
TYPED_TEST_SUITE(CrossEntropy, StorageTypes);

TYPED_TEST(CrossEntropy, MatchesPlainLoops) {
  using T = TypeParam;
  // Below a vector, odd tails, several blocks; more rows than losses are kept of at once.
  const std::vector<std::pair<std::size_t, std::size_t>> shapes = {
      {3, 1}, {5, 7}, {9, 4096}, {4, 20011}, {700, 33}};
  for (const auto& [rows, vocabulary] : shapes) {
    auto logits = typed_values<T>(rows * vocabulary, 1, 9);
    const std::vector<int> targets = some_targets(rows, vocabulary);
    const Reference want = reference(widened(logits), targets, vocabulary, 0.25);
    const double loss = cross_entropy(logits.data(), targets.data(), rows, vocabulary, 0.25F);
    // fast_exp and the sums of 2048 terms in single precision are good to 3e-6 of a row's sum.
    EXPECT_NEAR(loss, want.loss, 3e-6 * static_cast<double>(rows)) << vocabulary;
    expect_rounded(logits, want.grad, 5e-7);
  }
}

// The largest value comes late, early, and in the middle of a block, and rises to it slowly, or by
// more in a row than an exponent has room for: so that sums are rescaled.
TYPED_TEST(CrossEntropy, FollowsARisingMaximum) {
  using T = TypeParam;
  const std::size_t vocabulary = 30000;
  for (const std::size_t peak : {std::size_t{0}, std::size_t{12345}, vocabulary - 1}) {
    for (const float slope : {0.001F, 0.01F}) {
      std::vector<float> ramp(vocabulary);
      for (std::size_t i = 0; i < vocabulary; ++i) {
        ramp[i] = -static_cast<float>(i > peak ? i - peak : peak - i) * slope;
      }
      auto logits = narrowed<T>(ramp);
      const std::vector<int> targets = {17};
      const Reference want = reference(widened(logits), targets, vocabulary, 1);
      // Below 3e-6; 3.5e-6 to 5.4e-6 where a compiler adds the terms one by one (-O1).
      EXPECT_NEAR(cross_entropy(logits.data(), targets.data(), 1, vocabulary, 1), want.loss, 8e-6);
      expect_rounded(logits, want.grad, 5e-7);
    }
  }
}

TYPED_TEST(CrossEntropy, GradientRowsSumToZero) {
  using T = TypeParam;
  const std::size_t rows = 6, vocabulary = 1000;
  auto logits = typed_values<T>(rows * vocabulary, 2, 4);
  const std::vector<int> targets = some_targets(rows, vocabulary);
  cross_entropy(logits.data(), targets.data(), rows, vocabulary, 2);
  const std::vector<double> grad = widened(logits);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto first = grad.begin() + static_cast<std::ptrdiff_t>(row * vocabulary);
    // Rounded terms whose sizes add up to 2 * scale.
    EXPECT_NEAR(std::accumulate(first, first + vocabulary, 0.0), 0, 4 * kRounding<T> + 1e-5);
  }
}

TYPED_TEST(CrossEntropy, StaysFiniteForHugeLogits) {
  using T = TypeParam;
  auto logits = narrowed<T>({1e4, -1e4, 0, 1e4, 9e3, -1e4, -1e4, -1e4, -1e4});
  const std::vector<int> targets = {0, 2, 1};
  const double gap = widened(logits)[3] - widened(logits)[5];
  const double loss = cross_entropy(logits.data(), targets.data(), 3, 3, 1);
  EXPECT_NEAR(loss, 0 + gap + std::log(3), 1e-6);
  const std::vector<double> grad = widened(logits);
  const std::vector<double> want = {0, 0, 0, 1, 0, -1, 1.0 / 3, -2.0 / 3, 1.0 / 3};
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(grad[i], want[i], want[i] == 0 ? 1e-30 : kRounding<T>) << i;
  }
}

// A diverged model must not look like a good one.
TYPED_TEST(CrossEntropy, ShowsNaN) {
  using T = TypeParam;
  for (const std::size_t at : {0, 3, 4999}) {
    auto logits = typed_values<T>(5000, 3);
    logits[at] = narrow<T>(std::numeric_limits<float>::quiet_NaN());
    const int target = 7;
    EXPECT_TRUE(std::isnan(cross_entropy(logits.data(), &target, 1, 5000, 1))) << at;
  }
}

// -infinity is how a logit is masked; here a whole block of them comes first.
TYPED_TEST(CrossEntropy, TakesMaskedLogits) {
  using T = TypeParam;
  std::vector<float> values(5000, -std::numeric_limits<float>::infinity());
  values[4998] = values[4999] = 1;
  auto logits = narrowed<T>(values);
  const int target = 4999;
  EXPECT_NEAR(cross_entropy(logits.data(), &target, 1, 5000, 1), std::log(2), 1e-6);
  EXPECT_NEAR(widened(logits)[0], 0, 1e-30);
  EXPECT_NEAR(widened(logits)[4998], 0.5, 1e-6);
  EXPECT_NEAR(widened(logits)[4999], -0.5, 1e-6);
}

TYPED_TEST(CrossEntropy, DoesNotDependOnThreads) {
  using T = TypeParam;
  const std::size_t rows = 37, vocabulary = 5001;
  const auto logits = typed_values<T>(rows * vocabulary, 4, 3);
  const std::vector<int> targets = some_targets(rows, vocabulary);
  expect_same_on_any_threads([&] {
    auto grad = logits;
    const double loss = cross_entropy(grad.data(), targets.data(), rows, vocabulary, 0.5F);
    return std::pair(loss, widened(grad));
  });
}

}  // namespace
}  // namespace perf::workloads
