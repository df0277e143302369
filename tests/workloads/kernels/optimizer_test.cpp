#include "workloads/kernels/optimizer.h"

#include <stdexcept>

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"

namespace perf::workloads {
namespace {

constexpr OptimizerKind kKinds[] = {OptimizerKind::adamw, OptimizerKind::sgd,
                                    OptimizerKind::momentum};

template <class Parameter, class StateValue>
struct Stored {
  using T = Parameter;
  using State = StateValue;
};
using Storage = testing::Types<Stored<float, float>, Stored<Bf16, float>, Stored<Bf16, Bf16>,
                               Stored<Fp16, float>, Stored<Fp16, Fp16>>;

template <class S>
class Optimizer : public testing::Test {};
TYPED_TEST_SUITE(Optimizer, Storage);

// One step by plain loops in double precision; states are widened and narrowed by the caller.
void reference_step(const OptimizerOptions& options, int step, std::vector<double>& p,
                    const std::vector<double>& grad, std::vector<double>& first,
                    std::vector<double>& second) {
  const AdamW& a = options.adamw;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double g = grad[i] * options.gradient_scale;
    double update = g;
    if (options.kind == OptimizerKind::momentum) {
      update = first[i] = options.momentum * first[i] + g;
    }
    if (options.kind == OptimizerKind::adamw) {
      first[i] = a.beta1 * first[i] + (1 - a.beta1) * g;
      second[i] = a.beta2 * second[i] + (1 - a.beta2) * g * g;
      update = first[i] / (1 - std::pow(a.beta1, step)) /
               (std::sqrt(second[i] / (1 - std::pow(a.beta2, step))) + a.epsilon);
    }
    p[i] -= a.learning_rate * (update + a.weight_decay * p[i]);
  }
}

TYPED_TEST(Optimizer, EachStepMatchesPlainLoops) {
  using T = typename TypeParam::T;
  using State = typename TypeParam::State;
  const std::size_t count = 20011;  // more than a range, and an odd tail
  for (const OptimizerKind kind : kKinds) {
    const OptimizerOptions options{.kind = kind,
                                   .adamw = {.learning_rate = 1e-2, .weight_decay = 0.1},
                                   .momentum = 0.8,
                                   .gradient_scale = 0.25};
    auto p = typed_values<T>(count, 1);
    std::vector<State> first(count), second(count);
    for (int step = 1; step <= 5; ++step) {
      const auto grad = typed_values<T>(count, 10 + static_cast<std::uint32_t>(step), 4);
      std::vector<double> want = widened(p), m = widened(first), v = widened(second);
      reference_step(options, step, want, widened(grad), m, v);
      optimize(options, step, count, p.data(), grad.data(), first.data(), second.data());
      // From the same stored values each time, so one step's roundings are all there is. The
      // parameter comes from the moments before they are rounded.
      SCOPED_TRACE(name_of(kind) + ", step " + std::to_string(step));
      expect_rounded(p, want, 1e-8);
      expect_rounded(first, m, 1e-7);
      expect_rounded(second, v, 1e-9);
    }
  }
}

TYPED_TEST(Optimizer, TakesNoStateWhereTheKindHasNone) {
  using T = typename TypeParam::T;
  using State = typename TypeParam::State;
  auto p = narrowed<T>({1, 2});
  const auto grad = narrowed<T>({1, -1});
  const OptimizerOptions sgd{.kind = OptimizerKind::sgd,
                             .adamw = {.learning_rate = 0.5, .weight_decay = 0}};
  optimize<T, State>(sgd, 1, 2, p.data(), grad.data(), nullptr, nullptr);
  EXPECT_EQ(widened(p), (std::vector<double>{0.5, 2.5}));

  std::vector<State> momentum(2);
  const OptimizerOptions heavy{.kind = OptimizerKind::momentum,
                               .adamw = {.learning_rate = 0.5, .weight_decay = 0},
                               .momentum = 0.5};
  optimize<T, State>(heavy, 1, 2, p.data(), grad.data(), momentum.data(), nullptr);
  optimize<T, State>(heavy, 2, 2, p.data(), grad.data(), momentum.data(), nullptr);
  EXPECT_EQ(widened(momentum), (std::vector<double>{1.5, -1.5}));  // 1, then 0.5 * 1 + 1
  EXPECT_EQ(widened(p), (std::vector<double>{-0.75, 3.75}));
}

TYPED_TEST(Optimizer, DoesNotDependOnThreads) {
  using T = typename TypeParam::T;
  using State = typename TypeParam::State;
  const auto start = typed_values<T>(40011, 1), grad = typed_values<T>(40011, 2);
  for (const OptimizerKind kind : kKinds) {
    const OptimizerOptions options{.kind = kind, .adamw = {}};
    expect_same_on_any_threads([&] {
      auto p = start;
      std::vector<State> first(p.size()), second(p.size());
      for (int step = 1; step <= 3; ++step) {
        optimize(options, step, p.size(), p.data(), grad.data(), first.data(), second.data());
      }
      return std::vector{widened(p), widened(first), widened(second)};
    });
  }
}

// What the header warns of.
TEST(OptimizerRounding, LeavesABf16ParameterWhereTheUpdateIsBelowHalfItsLastPlace) {
  for (const auto& [start, moves] : {std::pair(1.0F, false), std::pair(0.015625F, true)}) {
    Bf16 p = narrow<Bf16>(start), g = narrow<Bf16>(1);
    float m = 0, v = 0;
    const OptimizerOptions options{.adamw = {.learning_rate = 1e-4, .weight_decay = 0}};
    optimize(options, 1, 1, &p, &g, &m, &v);
    EXPECT_EQ(widen(p) != start, moves) << start;
  }
}

TEST(OptimizerNames, GoBothWays) {
  for (const OptimizerKind kind : kKinds) {
    EXPECT_EQ(optimizer_from(name_of(kind)), kind);
  }
  EXPECT_EQ(optimizer_names(), (std::vector<std::string>{name_of(OptimizerKind::adamw),
                                                         name_of(OptimizerKind::momentum),
                                                         name_of(OptimizerKind::sgd)}));
  EXPECT_EQ(name_of(OptimizerKind::momentum), "momentum");
  EXPECT_EQ(states_of(OptimizerKind::adamw), 2U);
  EXPECT_EQ(states_of(OptimizerKind::sgd), 0U);
  EXPECT_EQ(states_of(OptimizerKind::momentum), 1U);
  EXPECT_THROW(optimizer_from("adam"), std::invalid_argument);
}

}  // namespace
}  // namespace perf::workloads
