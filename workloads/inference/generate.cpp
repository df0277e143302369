#include "workloads/inference/generate.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "workloads/inference/decoder.h"
#include "workloads/inference/generation.h"
#include "workloads/inference/generation_check.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr std::size_t kCheckedTokens = 4;

DecoderShape shape_from(const Settings& settings) {
  const DecoderShape shape{.layers = settings.count("layers"),
                           .hidden = settings.count("hidden-size"),
                           .heads = settings.count("heads"),
                           .kv_heads = settings.count("kv-heads"),
                           .intermediate = settings.count("intermediate-size"),
                           .vocabulary = settings.count("vocabulary"),
                           .context = settings.count("prompt") + settings.count("new-tokens")};
  if (shape.hidden % (2 * shape.heads) != 0)
    throw Error("heads do not divide the width into even parts",
                fmt::format("--hidden-size {} --heads {}", shape.hidden, shape.heads),
                "a hidden size that is a multiple of twice the heads");
  if (shape.heads % shape.kv_heads != 0)
    throw Error("key-value heads do not divide the heads",
                fmt::format("--heads {} --kv-heads {}", shape.heads, shape.kv_heads),
                "a number of heads that is a multiple of the key-value heads");
  return shape;
}

// Returns the median time to the first token over the timed steps.
double generate(Generation& generation, StepEmitter& out) {
  std::vector<double> first_token;
  first_token.reserve(static_cast<std::size_t>(out.wanted().steps) +
                      static_cast<std::size_t>(out.wanted().warmup));
  while (out.next_step())
    first_token.push_back(generation.run(out).first_token);
  first_token.erase(first_token.begin(), first_token.begin() + out.wanted().warmup);
  const auto middle = first_token.begin() + static_cast<std::ptrdiff_t>(first_token.size() / 2);
  std::nth_element(first_token.begin(), middle, first_token.end());
  return *middle;
}

void report(const DecoderShape& shape, double first_token, int new_tokens, StepEmitter& out) {
  const auto& names = out.phase_names();
  const auto decode = std::find(names.begin(), names.end(), "decode");
  out.metric("first_token_time", "s", Better::lower, first_token);
  out.metric("total_time", "s", Better::lower, out.median_seconds());
  out.metric("tokens_per_second", "1/s", Better::higher, new_tokens / out.median_seconds());
  if (decode != names.end()) {
    const double token =
        out.median_phase(static_cast<std::size_t>(decode - names.begin())) / (new_tokens - 1);
    const auto weights = static_cast<double>(shape.parameters() * sizeof(float));
    out.metric("token_time", "s", Better::lower, token);
    out.metric("weight_bytes_per_second", "B/s", Better::higher, weights / token);
  }
  out.metric("kv_cache_bytes", "B", Better::lower, static_cast<double>(shape.cache_bytes()));
}

void run(const Settings& settings, StepEmitter& out) {
  const DecoderShape shape = shape_from(settings);
  const int threads = omp_get_max_threads();
  require_memory(shape.bytes(threads), fmt::format("{} parameters", shape.parameters()));
  const int new_tokens = settings.count("new-tokens");
  const SamplingOptions sampling{.temperature = static_cast<float>(settings.real("temperature")),
                                 .top_p = static_cast<float>(settings.real("top-p"))};
  out.begin_field("tokens_per_step", new_tokens);
  out.begin_field("parameters", shape.parameters());
  Decoder decoder(shape, backend_from(settings.text("backend")), threads, out.wanted().seed);
  Generation generation(decoder, static_cast<std::size_t>(settings.count("prompt")),
                        static_cast<std::size_t>(new_tokens), sampling, out.wanted().seed);
  const double first_token = generate(generation, out);
  report(shape, first_token, new_tokens, out);

  const float* logits = generation.last_logits();
  const std::vector<float> decoded(logits, logits + shape.tokens());
  std::vector<int> tokens = generation.tokens();
  tokens.pop_back();  // drawn last, and never fed back
  out.check("nucleus_matches_reference",
            nucleus_error(decoded.data(), decoded.size(), sampling.temperature, sampling.top_p),
            kNucleusTolerance);
  out.check("cache_matches_whole_prompt", cache_error(decoder, tokens, decoded), kLogitTolerance);
  tokens.resize(std::min(tokens.size(), kCheckedTokens));
  if (tokens.size() > 1)
    out.check("logits_match_reference", logit_error(decoder, tokens), kLogitTolerance);
}

}  // namespace

Workload inference_generate() {
  return {
      .name = "inference/generate",
      .summary = "Generates text with a small decoder and a KV cache; a step is one generation.",
      .parameters =
          {
              choice("backend", {"openblas", "eigen"}, "who multiplies the prompt's matrices"),
              choice("dtype", {"fp32"}, "type of weights and activations"),
              integer("layers", {4, 4, 12}, 1, 1024, "decoder layers"),
              integer("hidden-size", {256, 512, 768}, 2, 65536, "width"),
              integer("heads", {4, 8, 12}, 1, 1024, "query heads"),
              integer("kv-heads", {2, 4, 4}, 1, 1024, "key-value heads"),
              integer("intermediate-size", {768, 1536, 2048}, 1, 262144, "width of the MLP"),
              integer("vocabulary", {4096, 8192, 32000}, 2, 1'000'000, "tokens to choose from"),
              integer("prompt", {128, 128, 128}, 1, 65536, "tokens read at once"),
              integer("new-tokens", {32, 16, 100}, 1, 65536, "tokens generated one by one"),
              real("temperature", 0.7, 0, 100, "0: always the most probable token"),
              real("top-p", 0.9, 1e-6, 1, "share of the probability to choose from"),
          },
      .phases = {"prefill", "decode", "sample"},
      .metrics = {"first_token_time", "total_time", "tokens_per_second", "token_time",
                  "weight_bytes_per_second", "kv_cache_bytes"},
      .checks = {"nucleus_matches_reference", "cache_matches_whole_prompt",
                 "logits_match_reference"},
      .run = run,
  };
}

}  // namespace perf::workloads
