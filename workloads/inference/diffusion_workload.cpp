#include "workloads/inference/diffusion_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/diffusion_check.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/inference_report.h"
#include "workloads/kernels/gemm_rate.h"
#include "workloads/kernels/weight_products.h"
#include "workloads/program/error.h"
#include "workloads/program/median.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

// Logits of a large vocabulary take much memory; with so many rows their product is bound by
// arithmetic all the same.
constexpr std::size_t kLogitRowsOfAPass = 64;

// Over the timed steps.
struct Times {
  explicit Times(int steps) {
    totals.reserve(static_cast<std::size_t>(steps));
    sampling_shares.reserve(static_cast<std::size_t>(steps));
  }
  std::vector<double> totals, sampling_shares;
};

void report(const DiffusionSetup& wanted, const ModelShape& shape, const Times& times,
            const GemmRate& gemm, StepEmitter& out) {
  const double seconds = median(times.totals), tokens = static_cast<double>(wanted.new_tokens);
  const double rate = Diffusion::operations(wanted, shape) / seconds;
  out.metric("total_time", "s", Better::lower, seconds);
  out.metric("token_time", "s", Better::lower, seconds / tokens);
  out.metric("tokens_per_second", "1/s", Better::higher, tokens / seconds);
  out.metric("sampling_share", "1", Better::lower, median(times.sampling_shares));
  out.metric("flop_rate", "flop/s", Better::higher, rate);
  report_gemm_share(rate, gemm.rate(), out);
}

DecoderSetup diffusing_setup(const Settings& settings, const ParameterSource& source,
                             const DiffusionSetup& wanted) {
  DecoderSetup setup = decoder_setup(settings, source);
  if (setup.shape.vocabulary < 2) {
    throw Error("a vocabulary without a token beside the mask",
                fmt::format("vocabulary {}", setup.shape.vocabulary), "2 or more");
  }
  setup.capacity = setup.most_rows = wanted.prompt + wanted.new_tokens;
  setup.logit_rows = std::min(wanted.new_tokens, kLogitRowsOfAPass);
  return setup;
}

void run_diffusion(const Settings& settings, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const std::unique_ptr<ParameterSource> source = parameter_source(settings, seed);
  const DiffusionSetup wanted = diffusion_setup(settings);
  const DecoderSetup setup = diffusing_setup(settings, *source, wanted);
  out.begin_field("tokens_per_step", wanted.new_tokens);
  describe_setup(settings, setup, out);
  GemmRate gemm(settings.count("peak-size"), product_type(setup.backend, setup.weights));
  DecoderInMemory model(setup, *source);
  Diffusion diffusion(model.decoder(), wanted, seed);
  Times times(out.wanted().steps);
  gemm.measure(kRateTimes);
  while (out.next_step()) {
    diffusion.run(out);
    out.stop_step();
    const perf_compare::Step& step = out.steps().back();
    if (!step.warmup) {
      times.totals.push_back(step.seconds);
      times.sampling_shares.push_back(diffusion.sample_seconds() / step.seconds);
    }
  }
  gemm.measure(kRateTimes);
  report(wanted, setup.shape, times, gemm, out);
  report_memory(model.memory(), out, gemm.bytes());
  check_diffusion(model.decoder(), diffusion, seed, out);
  check_decoder(model.decoder(), *source, seed, out);
}

std::vector<Parameter> diffusion_parameters() {
  // A pass over many rows is bound by its products, not by the memory that it reads.
  std::vector<Parameter> all = model_parameters(false);
  for (Parameter& parameter : sampling_parameters()) {
    all.push_back(std::move(parameter));
  }
  all.push_back(integer("prompt", {32, 32, 128}, 1, 65536, "tokens that are given"));
  all.push_back(integer("new-tokens", {16, 16, 64}, 1, 65536, "tokens that are masked at first"));
  all.push_back(integer("denoising-steps", {4, 4, 16}, 1, 65536,
                        "passes in which they are unmasked; at most new-tokens"));
  all.push_back(integer("peak-size", {512, 512, 2048}, 0, 16384,
                        "n of the n^3 product whose rate is the yardstick; 0: none"));
  return all;
}

}  // namespace

DiffusionSetup diffusion_setup(const Settings& settings) {
  const auto count = [&](const char* name) {
    return static_cast<std::size_t>(settings.integer(name));
  };
  DiffusionSetup wanted{.prompt = count("prompt"),
                        .new_tokens = count("new-tokens"),
                        .denoising_steps = count("denoising-steps"),
                        .sampling = sampling_options(settings)};
  if (wanted.denoising_steps > wanted.new_tokens) {
    throw Error("more denoising steps than tokens to unmask",
                fmt::format("--denoising-steps {} --new-tokens {}", wanted.denoising_steps,
                            wanted.new_tokens),
                fmt::format("--denoising-steps {}", wanted.new_tokens));
  }
  return wanted;
}

Workload inference_diffusion_generate() {
  Workload own{
      .name = "inference/diffusion_generate",
      .summary =
          "Generates text by masked diffusion, the most confident tokens first; a step is "
          "one text.",
      .parameters = diffusion_parameters(),
      .phases = {"forward", "sample"},
      .metrics = {"total_time", "token_time", "tokens_per_second", "sampling_share", "flop_rate",
                  "gemm_rate", "gemm_share"},
      .checks = diffusion_checks(),
      .run = run_diffusion,
  };
  append(own.metrics, memory_metrics());
  for (const std::string& name : decoder_checks()) {
    own.checks.push_back(name);
  }
  return own;
}

}  // namespace perf::workloads
