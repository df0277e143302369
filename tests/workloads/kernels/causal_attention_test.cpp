#include "workloads/kernels/causal_attention.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <ostream>

#include "tests/workloads/kernels/exact_attention.h"
#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {

// How GoogleTest names a shape when a test fails.
void PrintTo(const QkvRows& shape, std::ostream* out) {
  *out << shape.sequences << " x " << shape.length << ", heads " << shape.heads << "/"
       << shape.kv_heads << " of " << shape.size;
}

namespace {

// What an attention of this shape takes, counted.
template <class T>
struct Memory {
  explicit Memory(const QkvRows& shape) { CausalAttention<T>(shape, counted); }
  Ledger counted;
};

// What one forward and one backward pass leave, in double precision.
struct Passed {
  std::vector<double> out, log_sums, grad_qkv;
  bool operator==(const Passed&) const = default;
};

template <class T>
Passed pass(const QkvRows& shape, const std::vector<T>& qkv, const std::vector<T>& grad_out) {
  Ledger memory{Memory<T>(shape).counted};
  CausalAttention<T> attention(shape, memory);
  std::vector<T> out(shape.rows() * shape.query_width()), grad_qkv(shape.rows() * shape.width());
  std::vector<float> log_sums(shape.heads * shape.rows());
  attention.forward(qkv.data(), out.data(), log_sums.data());
  attention.backward(qkv.data(), out.data(), log_sums.data(), grad_out.data(), grad_qkv.data());
  return {widened(out), widened(log_sums), widened(grad_qkv)};
}

double error(const std::vector<double>& got, const std::vector<double>& want) {
  return largest_relative_error(got.data(), want.data(), want.size());
}

TEST(ExactAttention, GradientsMatchFiniteDifferences) {
  const QkvRows shape{.sequences = 2, .length = 5, .heads = 4, .kv_heads = 2, .size = 4};
  const ExactAttention exact(shape);
  std::vector<double> qkv = widened(random_values(shape.rows() * shape.width(), 1, 2));
  const std::vector<double> grad_out =
      widened(random_values(shape.rows() * shape.query_width(), 2));
  const std::vector<double> got = exact.backward(qkv, grad_out);
  const auto loss = [&] {
    std::vector<double> log_sums;
    const std::vector<double> out = exact.forward(qkv, &log_sums);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      sum += out[i] * grad_out[i];
    }
    return sum;
  };
  std::vector<double> want;
  constexpr double kStep = 1e-5;  // what it cuts off and what it rounds are both near 1e-10
  for (double& value : qkv) {
    const double kept = value;
    value = kept + kStep;
    const double above = loss();
    value = kept - kStep;
    want.push_back((above - loss()) / (2 * kStep));
    value = kept;
  }
  EXPECT_LT(error(got, want), 1e-8);
}

template <class T>
class CausalAttentionOf : public testing::Test {};
TYPED_TEST_SUITE(CausalAttentionOf, StorageTypes);

// Both sides see the rounded inputs. What is left is the rounding of the result; in the gradients
// also that of `out`; and in single precision that of sums over 200 keys.
template <class T>
constexpr double kTolerance = std::is_same_v<T, float> ? 4e-6 : 1.5 * kRounding<T>;

TYPED_TEST(CausalAttentionOf, MatchesTheDefinition) {
  const QkvRows shapes[] = {
      {.sequences = 1, .length = 1, .heads = 1, .kv_heads = 1, .size = 2},
      {.sequences = 2, .length = 7, .heads = 4, .kv_heads = 2, .size = 6},
      {.sequences = 1, .length = 64, .heads = 2, .kv_heads = 1, .size = 64},
      {.sequences = 3, .length = 65, .heads = 3, .kv_heads = 3, .size = 20},
      {.sequences = 1, .length = 100, .heads = 14, .kv_heads = 2, .size = 64},
      {.sequences = 2, .length = 128, .heads = 4, .kv_heads = 2, .size = 64},
      {.sequences = 1, .length = 191, .heads = 6, .kv_heads = 1, .size = 96},
      {.sequences = 2, .length = 203, .heads = 4, .kv_heads = 2, .size = 128},
  };
  for (const QkvRows& shape : shapes) {
    const auto qkv = typed_values<TypeParam>(shape.rows() * shape.width(), 1, 3);
    const auto grad_out = typed_values<TypeParam>(shape.rows() * shape.query_width(), 2);
    const Passed got = pass(shape, qkv, grad_out);
    const ExactAttention exact(shape);
    std::vector<double> log_sums;
    const std::vector<double> out = exact.forward(widened(qkv), &log_sums);
    EXPECT_LT(error(got.out, out), kTolerance<TypeParam>) << testing::PrintToString(shape);
    EXPECT_LT(error(got.log_sums, log_sums), kTolerance<float>) << testing::PrintToString(shape);
    EXPECT_LT(error(got.grad_qkv, exact.backward(widened(qkv), widened(grad_out))),
              kTolerance<TypeParam>)
        << testing::PrintToString(shape);
  }
}

TYPED_TEST(CausalAttentionOf, IsTheSameOnAnyThreads) {
  const QkvRows shape{.sequences = 2, .length = 150, .heads = 6, .kv_heads = 2, .size = 32};
  const auto qkv = typed_values<TypeParam>(shape.rows() * shape.width(), 1, 3);
  const auto grad_out = typed_values<TypeParam>(shape.rows() * shape.query_width(), 2);
  expect_same_on_any_threads([&] { return pass(shape, qkv, grad_out); });
}

// One object serves layers of different sizes of numbers: nothing of a call is left to the next.
TEST(CausalAttention, FollowsFromItsArgumentsAlone) {
  const QkvRows shape{.sequences = 1, .length = 90, .heads = 2, .kv_heads = 1, .size = 16};
  const auto qkv = random_values(shape.rows() * shape.width(), 1);
  const auto grad_out = random_values(shape.rows() * shape.query_width(), 2);
  const Passed fresh = pass(shape, qkv, grad_out);
  Ledger memory{Memory<float>(shape).counted};
  CausalAttention<float> attention(shape, memory);
  std::vector<float> out(grad_out.size()), log_sums(shape.heads * shape.rows());
  std::vector<float> grad_qkv(qkv.size());
  const std::vector<float> broken(qkv.size(), NAN);
  for (const std::vector<float>& in : {broken, qkv}) {
    attention.forward(in.data(), out.data(), log_sums.data());
    attention.backward(in.data(), out.data(), log_sums.data(), grad_out.data(), grad_qkv.data());
  }
  EXPECT_EQ(fresh, (Passed{widened(out), widened(log_sums), widened(grad_qkv)}));
}

TEST(CausalAttention, DoesNotSeeTheFuture) {
  const QkvRows shape{.sequences = 1, .length = 130, .heads = 2, .kv_heads = 1, .size = 8};
  constexpr std::size_t kPresent = 70;
  std::vector<float> qkv = random_values(shape.rows() * shape.width(), 1);
  const std::vector<float> grad_out = random_values(shape.rows() * shape.query_width(), 2);
  Passed before = pass(shape, qkv, grad_out);
  for (std::size_t i = kPresent * shape.width(); i < qkv.size(); ++i) {
    qkv[i] *= 1e35F;  // so large that weights of e^-87 would show
  }
  Passed after = pass(shape, qkv, grad_out);
  before.out.resize(kPresent * shape.query_width());
  after.out.resize(kPresent * shape.query_width());
  EXPECT_EQ(before.out, after.out);
}

// Scores of some 10^4 overflow a plain exponential; their softmax is all but one-hot.
TEST(CausalAttention, StaysFiniteForLargeScores) {
  const QkvRows shape{.sequences = 1, .length = 140, .heads = 2, .kv_heads = 1, .size = 64};
  const auto qkv = random_values(shape.rows() * shape.width(), 1, 100);
  const auto grad_out = random_values(shape.rows() * shape.query_width(), 2);
  const Passed got = pass(shape, qkv, grad_out);
  std::vector<double> log_sums;
  const std::vector<double> out = ExactAttention(shape).forward(widened(qkv), &log_sums);
  // A score of 2e4 is known to 2e4 * 2^-24 * a few = 4e-3, and so is what it is the logarithm of.
  EXPECT_LT(error(got.out, out), 1e-2);
  EXPECT_LT(error(got.log_sums, log_sums), 1e-6);
  for (const double value : got.grad_qkv) {
    ASSERT_TRUE(std::isfinite(value));
  }
}

TEST(CausalAttention, TakesTheWorkspaceItsHeaderSays) {
  const QkvRows shape{.sequences = 2, .length = 100, .heads = 4, .kv_heads = 2, .size = 40};
  const std::size_t length = 128, size = 64;
  const std::size_t each = 3 * length * size + 256 * size + 2 * length + 8192;
  const std::size_t all = 2 * shape.sequences * shape.heads * length * size;
  EXPECT_EQ(Memory<float>(shape).counted.bytes(Purpose::workspace),
            sizeof(float) * (static_cast<std::size_t>(omp_get_max_threads()) * each + all));
}

TEST(CausalAttention, CountsTheProductsThatCausalityLeaves) {
  // 3 pairs of positions, 2 operations a product of 4 values, 5 heads, 2 sequences.
  const QkvRows shape{.sequences = 2, .length = 2, .heads = 5, .kv_heads = 1, .size = 4};
  EXPECT_EQ(CausalAttention<float>::forward_operations(shape), 2 * 3 * 8 * 5 * 2);
  EXPECT_EQ(CausalAttention<float>::backward_operations(shape), 4 * 3 * 8 * 5 * 2);
}

}  // namespace
}  // namespace perf::workloads
