#include "workloads/training/mlp_stack_workload.h"

#include <fmt/format.h>

#include "workloads/kernels/gemm_rate.h"
#include "workloads/program/backend_parameter.h"
#include "workloads/program/environment.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/roofline.h"
#include "workloads/training/finetuning_parameters.h"
#include "workloads/training/mlp_stack.h"
#include "workloads/training/mlp_stack_check.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

// The yardstick is taken on both sides of the steps, so that a machine that speeds up meanwhile
// does not make the share look good.
constexpr int kMlpRateTimes = 5;
constexpr std::size_t kMlpCheckedRows = 2;
constexpr std::int64_t kMlpMostTokens = 1 << 24;  // BLAS counts in 32 bits
// Small enough that the loss falls at every size: at 1e-3 a full one diverges within three steps.
constexpr AdamW kOptimizer{.learning_rate = 1e-4};

MlpShape mlp_shape_from(const Settings& settings) {
  const std::int64_t tokens = settings.integer("batch-size") * settings.integer("seq-len");
  if (tokens > kMlpMostTokens) {
    throw Error("too many tokens in a step",
                fmt::format("{} times {}", settings.text("batch-size"), settings.text("seq-len")),
                fmt::format("at most {}", kMlpMostTokens));
  }
  return {.layers = settings.count("layers"),
          .hidden = settings.count("hidden-size"),
          .tokens = static_cast<int>(tokens)};
}

// Returns the loss of the last step.
template <class T>
double train(MlpStackOf<T>& stack, StepEmitter& out) {
  double loss = 0;
  while (out.next_step()) {
    stack.forward();
    out.phase("forward");
    loss = stack.loss();
    out.phase("loss");
    stack.backward();
    out.phase("backward");
    stack.update(kOptimizer);
    out.phase("optimizer");
  }
  return loss;
}

// The whole step on a small stack, for the gradients and AdamW; then a slice of the real one,
// which has the shapes that were timed.
template <class T>
void check(MlpStackOf<T>& stack, Backend backend, std::uint64_t seed, StepEmitter& out) {
  const MlpTolerances allowed = mlp_tolerances(kDType<T>);
  MlpStackOf<T> small({.layers = 2, .hidden = 32, .tokens = 48}, backend, seed);
  small.forward();
  small.loss();
  small.backward();
  out.check("gradients_match_reference", gradient_error(small), allowed.gradient);
  out.check("update_matches_reference", update_error(small, kOptimizer), allowed.update);
  stack.forward();
  out.check("output_matches_reference", forward_error(stack, kMlpCheckedRows), allowed.forward);
}

void report(const MlpShape& shape, double loss, const GemmRate& gemm, StepEmitter& out) {
  const double seconds = out.median_seconds();
  const double rate = shape.operations() / seconds;
  out.metric("tokens_per_second", "1/s", Better::higher, shape.tokens / seconds);
  out.metric("flop_rate", "flop/s", Better::higher, rate);
  report_gemm_share(rate, gemm.rate(), out);
  out.metric("loss", "1", Better::lower, loss);
}

template <class T>
void run_typed(const MlpShape& shape, Backend backend, const Settings& settings, StepEmitter& out) {
  MlpStackOf<T> stack(shape, backend, out.wanted().seed);
  GemmRate gemm(settings.count("peak-size"), kDType<T>);
  gemm.measure(kMlpRateTimes);
  const double loss = train(stack, out);
  gemm.measure(kMlpRateTimes);
  report(shape, loss, gemm, out);
  check(stack, backend, out.wanted().seed, out);
}

void run(const Settings& settings, StepEmitter& out) {
  const MlpShape shape = mlp_shape_from(settings);
  const DType dtype = dtype_from(settings.text("dtype"));
  const std::string chosen = chosen_backend(settings.text("backend"));
  const Backend backend = backend_from(chosen);
  require_memory(shape.bytes(dtype), fmt::format("{} layers of hidden size {}, {} tokens",
                                                 shape.layers, shape.hidden, shape.tokens));
  out.begin_field("tokens_per_step", shape.tokens);
  out.begin_field("parameters", shape.parameters());
  out.environment("backend", chosen);
  describe_products(backend, dtype, out);
  switch (dtype) {
    case DType::fp32:
      return run_typed<float>(shape, backend, settings, out);
    case DType::bf16:
      return run_typed<Bf16>(shape, backend, settings, out);
    case DType::fp16:
      return run_typed<Fp16>(shape, backend, settings, out);
  }
}

}  // namespace

Workload training_mlp_stack() {
  return {
      .name = "training/mlp_stack",
      .summary = "Trains a stack of transformer MLPs: forward, loss, backward and AdamW.",
      .parameters =
          {
              backend_parameter({"auto"}),
              choice("dtype", dtype_names(), "of weights, gradients and activations"),
              integer("layers", {2, 2, 4}, 1, 1024, "MLP blocks"),
              integer("hidden-size", {512, 512, 2048}, 1, 32768, "width H; the inner width is 4H"),
              integer("seq-len", {128, 128, 1024}, 1, 1'000'000, "tokens L of a sequence"),
              integer("batch-size", {2, 2, 4}, 1, 65536, "sequences B a step"),
              integer("peak-size", {512, 512, 2048}, 0, 16384,
                      "n of the n^3 product whose rate is the yardstick; 0: none"),
          },
      .phases = {"forward", "loss", "backward", "optimizer"},
      .metrics = {"tokens_per_second", "flop_rate", "gemm_rate", "gemm_share", "loss"},
      .checks = {"gradients_match_reference", "update_matches_reference",
                 "output_matches_reference"},
      .run = run,
  };
}

}  // namespace perf::workloads
