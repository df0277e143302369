#include "workloads/inference/batched.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/generation.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/inference_report.h"
#include "workloads/inference/prompt_tokens.h"
#include "workloads/inference/sequences_check.h"
#include "workloads/inference/text_check.h"
#include "workloads/program/median.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

std::vector<Series> batched_series(const Settings& settings) {
  std::vector<Series> all;
  for (const std::int64_t batch : settings.integers("batch-size")) {
    all.push_back({fmt::format("batch_{}", batch), {{"batch-size", std::to_string(batch)}}});
  }
  return all;
}

GenerationSetup generation_setup(const Settings& settings, const ParameterSource& source) {
  const std::vector<int> tokens = prompt_tokens(settings, source.shape().tokens());
  return {.prompt = prompt_length(settings, tokens),
          .new_tokens = static_cast<std::size_t>(settings.integer("new-tokens")),
          .sampling = sampling_options(settings),
          .prompt_tokens = tokens};
}

DecoderSetup setup_for(const Settings& settings, const ParameterSource& source,
                       const GenerationSetup& generation) {
  DecoderSetup setup = decoder_setup(settings, source);
  setup.sequences = setup.logit_rows = static_cast<std::size_t>(settings.integer("batch-size"));
  setup.capacity = generation.prompt + generation.new_tokens;
  setup.most_rows = Generation::most_rows(generation, setup.sequences);
  return setup;
}

// Tokens a second at batch 1, of series of this process that differ in nothing else: a run's series
// come one after the other, and what batching gains can be told from the second on.
double* rate_of_one(const Settings& settings) {
  static std::map<std::string, double> rates;
  std::string others;
  for (const auto& [name, value] : settings.fields()) {
    if (name != "batch-size") {
      others += value.encoded() + " ";
    }
  }
  if (settings.integer("batch-size") == 1) {
    return &rates[others];
  }
  const auto found = rates.find(others);
  return found == rates.end() ? nullptr : &found->second;
}

struct Decoding {
  std::vector<double> tokens;   // seconds of each, of all timed steps
  std::vector<double> decoded;  // seconds of each timed step
};

Decoding generate(Generation& generation, ReadShare& reading, StepEmitter& out) {
  Decoding result;
  reading.probe();
  while (out.next_step()) {
    generation.run(out);
    out.stop_step();
    reading.probe();
    if (out.steps().back().warmup) {
      continue;
    }
    reading.step(generation.decode_bytes(), generation.decode_seconds());
    const std::vector<double>& seconds = generation.token_seconds();
    result.tokens.insert(result.tokens.end(), seconds.begin() + 1, seconds.end());
    result.decoded.push_back(generation.decode_seconds() + generation.sample_seconds());
  }
  return result;
}

void report(const Decoding& decoding, const Settings& settings, const GenerationSetup& setup,
            StepEmitter& out) {
  const auto batch = static_cast<double>(settings.integer("batch-size"));
  const auto tokens = static_cast<double>(setup.new_tokens);
  const double seconds = out.median_seconds();
  out.metric("tokens_per_second", "1/s", Better::higher, batch * tokens / seconds);
  out.metric("tokens_per_second_per_sequence", "1/s", Better::higher, tokens / seconds);
  out.metric("token_time", "s", Better::lower, median(decoding.tokens));
  const double decode_rate = batch * (tokens - 1) / median(decoding.decoded);
  out.metric("decode_tokens_per_second", "1/s", Better::higher, decode_rate);
  double* one = rate_of_one(settings);
  if (one == nullptr) {
    return;
  }
  if (batch == 1) {
    *one = decode_rate;
  }
  out.metric("batching_gain", "1", Better::higher, decode_rate / *one);
}

void run_batched(const Settings& settings, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const std::unique_ptr<ParameterSource> source = parameter_source(settings, seed);
  const GenerationSetup wanted = generation_setup(settings, *source);
  const DecoderSetup setup = setup_for(settings, *source, wanted);
  out.begin_field("tokens_per_step", setup.sequences * wanted.new_tokens);
  describe_setup(settings, setup, out);
  describe_prompt(wanted.prompt_tokens, out);
  DecoderInMemory model(setup, *source);
  Generation generation(model.decoder(), wanted, seed);
  ReadShare reading(read_probe_bytes(settings, model.memory()));
  const Decoding decoding = generate(generation, reading, out);
  report(decoding, settings, wanted, out);
  out.metric("weights_bytes_per_token", "B", Better::lower,
             static_cast<double>(model.memory().bytes(Purpose::weights)) /
                 static_cast<double>(setup.sequences));
  reading.report(out);
  report_memory(model.memory(), out, reading.bytes());
  check_text(model.decoder(), generation, seed, out);
  check_sequences(model.decoder(), seed, out);
  check_decoder(model.decoder(), *source, seed, out);
}

std::vector<Parameter> batched_parameters() {
  std::vector<Parameter> all = model_parameters();
  for (Parameter& parameter : sampling_parameters()) {
    all.push_back(std::move(parameter));
  }
  all.push_back(integers("batch-size", {"1,4", "1,4", "1,4,8,16"}, 1, 4096,
                         "sequences B side by side; a series each"));
  all.push_back(integer("prompt", {16, 16, 128}, 1, 65536, "tokens of each that are read at once"));
  all.push_back(prompt_tokens_parameter());
  all.push_back(
      integer("new-tokens", {16, 16, 32}, 2, 65536, "tokens of each, generated one by one"));
  return all;
}

}  // namespace

Workload inference_batched() {
  Workload own{
      .name = "inference/batched",
      .summary = "Generates several sequences side by side: each batch size.",
      .parameters = batched_parameters(),
      .phases = {"prefill", "decode", "sample"},
      .metrics = {"tokens_per_second", "tokens_per_second_per_sequence", "token_time",
                  "decode_tokens_per_second", "batching_gain", "weights_bytes_per_token"},
      .checks = {"text_matches_one_piece", "sequences_do_not_mix"},
      .series = batched_series,
      .run = run_batched,
  };
  append(own.metrics, ReadShare::metrics());
  append(own.metrics, memory_metrics());
  for (const std::string& name : decoder_checks()) {
    own.checks.push_back(name);
  }
  return own;
}

}  // namespace perf::workloads
