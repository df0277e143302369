#include "workloads/inference/generate.h"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/decoder/cache_check.h"
#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/generation.h"
#include "workloads/inference/generation_report.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/inference_report.h"
#include "workloads/inference/prompt_tokens.h"
#include "workloads/inference/text_check.h"
#include "workloads/kernels/gemm_rate.h"
#include "workloads/kernels/weight_products.h"
#include "workloads/program/error.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

// With fewer rows a product is bound by the weights that it reads, not by arithmetic.
constexpr std::size_t kComputeBoundRows = 64;

std::size_t positive(const Settings& settings, const char* name) {
  return static_cast<std::size_t>(settings.integer(name));
}

}  // namespace

GenerationSetup generation_setup(const Settings& settings, const ParameterSource& source,
                                 bool cached) {
  const std::vector<int> tokens = prompt_tokens(settings, source.shape().tokens());
  return {.prompt = prompt_length(settings, tokens),
          .new_tokens = positive(settings, "new-tokens"),
          .sampling = sampling_options(settings),
          .cached = cached,
          .prompt_tokens = tokens};
}

DecoderSetup generating_setup(const Settings& settings, const ParameterSource& source,
                              const GenerationSetup& generation) {
  DecoderSetup setup = decoder_setup(settings, source);
  const std::size_t tokens = generation.prompt + generation.new_tokens;
  const std::size_t context = positive(settings, "context");
  if (context > 0 && context < tokens) {
    throw Error("the context has no room for prompt and new tokens",
                fmt::format("--context {} --prompt {} --new-tokens {}", context, generation.prompt,
                            generation.new_tokens),
                fmt::format("--context {}, or 0", tokens));
  }
  setup.capacity = std::max(context, tokens);
  setup.most_rows = Generation::most_rows(generation, setup.sequences);
  return setup;
}

namespace {

void run(bool cached, const Settings& settings, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const std::unique_ptr<ParameterSource> source = parameter_source(settings, seed);
  const GenerationSetup wanted = generation_setup(settings, *source, cached);
  const DecoderSetup setup = generating_setup(settings, *source, wanted);
  out.begin_field("tokens_per_step", wanted.new_tokens);
  describe_setup(settings, setup, out);
  describe_prompt(wanted.prompt_tokens, out);

  const bool compute_bound = wanted.prompt > kComputeBoundRows;
  DecoderInMemory model(setup, *source);
  Generation generation(model.decoder(), wanted, seed);
  GenerationSpeed speed(wanted, setup.sequences, out.wanted().steps);
  GemmRate gemm(compute_bound ? settings.count("peak-size") : 0,
                product_type(setup.backend, setup.weights));
  gemm.measure(kRateTimes);
  ReadShare reading(cached ? read_probe_bytes(settings, model.memory()) : 0);
  reading.probe();
  while (out.next_step()) {
    generation.run(out);
    out.stop_step();
    if (!out.steps().back().warmup) {
      speed.add(generation, out.steps().back().seconds);
      if (generation.decode_seconds() > 0) {
        reading.step(generation.decode_bytes(), generation.decode_seconds());
      }
    }
    reading.probe();
  }
  gemm.measure(kRateTimes);

  const std::size_t yardsticks = gemm.bytes() + reading.bytes();
  speed.report(memory_without_yardsticks(model.memory(), out, yardsticks), out);
  report_prefill(model.decoder().operations(wanted.prompt), speed.prefill_seconds(), gemm, out);
  if (cached) {
    reading.report(out);
  }
  report_memory(model.memory(), out, yardsticks);
  report_cache(setup, out);
  check_cache(setup, model.memory(), out);
  check_text(model.decoder(), generation, seed, out);
  if (!cached) {
    check_without_cache(model.decoder(), seed, out);
  }
  check_decoder(model.decoder(), *source, seed, out);
}

std::vector<Parameter> generate_parameters(bool cached) {
  std::vector<Parameter> parameters = model_parameters(cached);
  for (Parameter& parameter : sampling_parameters()) {
    parameters.push_back(std::move(parameter));
  }
  parameters.push_back(integer("prompt", {72, 72, 128}, 1, 65536, "tokens read at once"));
  parameters.push_back(prompt_tokens_parameter());
  parameters.push_back(
      integer("new-tokens", {16, 16, 100}, 1, 65536, "tokens generated one by one"));
  parameters.push_back(integer("context", {0, 0, 0}, 0, 1 << 20,
                               "positions of the cache; 0: prompt and new tokens"));
  parameters.push_back(integer("peak-size", {512, 512, 2048}, 0, 16384,
                               "n of the n^3 product whose rate is the yardstick; 0: none"));
  return parameters;
}

Workload workload(bool cached, std::string name, std::string summary) {
  Workload own{.name = "inference/" + std::move(name),
               .summary = std::move(summary),
               .parameters = generate_parameters(cached),
               .phases = {"prefill", "decode", "sample"},
               .metrics = GenerationSpeed::metrics(),
               .checks = {"kv_cache_matches_formula", "text_matches_one_piece"}};
  append(own.metrics, prefill_metrics());
  if (cached) {
    append(own.metrics, ReadShare::metrics());
  }
  append(own.metrics, memory_metrics());
  append(own.metrics, cache_metrics());
  if (!cached) {
    append(own.checks, without_cache_checks());
  }
  append(own.checks, decoder_checks());
  return own;
}

}  // namespace

Workload inference_generate() {
  Workload own = workload(true, "generate",
                          "Generates text token by token over a KV cache; a step is one text.");
  own.run = [](const Settings& settings, StepEmitter& out) { run(true, settings, out); };
  return own;
}

Workload inference_generate_nocache() {
  Workload own = workload(false, "generate_nocache",
                          "The same text, each token from a forward pass over all tokens so far.");
  own.run = [](const Settings& settings, StepEmitter& out) { run(false, settings, out); };
  return own;
}

}  // namespace perf::workloads
