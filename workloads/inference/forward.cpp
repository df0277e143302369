#include "workloads/inference/forward.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/inference_report.h"
#include "workloads/inference/sequences_check.h"
#include "workloads/inference/text_check.h"
#include "workloads/kernels/gemm_rate.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/weight_products.h"
#include "workloads/model/random_tokens.h"
#include "workloads/program/error.h"
#include "workloads/program/model_parameters.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr std::uint32_t kTokenStream = 2'000'001;

std::vector<Series> forward_series(const Settings& settings) {
  std::vector<Series> all;
  for (const std::int64_t batch : settings.integers("batch-size")) {
    for (const std::int64_t length : settings.integers("seq-len")) {
      all.push_back({fmt::format("batch_{}_length_{}", batch, length),
                     {{"batch-size", std::to_string(batch)}, {"seq-len", std::to_string(length)}}});
    }
  }
  return all;
}

}  // namespace

DecoderSetup forward_setup(const Settings& settings, const ParameterSource& source) {
  const std::int64_t batch = settings.integer("batch-size"), length = settings.integer("seq-len");
  if (batch * length > kMostTokens) {
    throw Error("too many tokens in a pass",
                fmt::format("--batch-size {} times --seq-len {}", batch, length),
                fmt::format("at most {}", kMostTokens));
  }
  DecoderSetup setup = decoder_setup(settings, source);
  setup.sequences = setup.logit_rows = static_cast<std::size_t>(batch);
  setup.capacity = static_cast<std::size_t>(length);
  setup.most_rows = setup.sequences * setup.capacity;
  return setup;
}

std::vector<int> forward_tokens(const DecoderSetup& setup, std::uint64_t seed) {
  return random_tokens(derived_seed(seed, kTokenStream), setup.most_rows, setup.shape.tokens());
}

namespace {

void report_speed(double operations, std::size_t tokens, const GemmRate& gemm, StepEmitter& out) {
  const double seconds = out.median_seconds();
  out.metric("tokens_per_second", "1/s", Better::higher, static_cast<double>(tokens) / seconds);
  out.metric("flop_rate", "flop/s", Better::higher, operations / seconds);
  report_gemm_share(operations / seconds, gemm.rate(), out);
}

// Beside the memory by purpose.
void report_process(const Ledger& memory, std::size_t sequences, StepEmitter& out) {
  const double activations = static_cast<double>(memory.bytes(Purpose::activations));
  out.metric("activations_bytes_per_sequence", "B", Better::lower,
             activations / static_cast<double>(sequences));
  double most = 0, sum = 0, count = 0;
  for (const perf_compare::Step& step : out.steps()) {
    if (step.warmup) {
      continue;
    }
    most = std::max(most, static_cast<double>(step.rss));
    sum += static_cast<double>(step.rss);
    ++count;
  }
  out.metric("resident_peak", "B", Better::lower, most);
  out.metric("resident_average", "B", Better::lower, sum / count);
}

void run_forward(const Settings& settings, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const std::unique_ptr<ParameterSource> source = parameter_source(settings, seed);
  const DecoderSetup setup = forward_setup(settings, *source);
  const std::vector<int> tokens = forward_tokens(setup, seed);
  out.begin_field("tokens_per_step", tokens.size());
  describe_setup(settings, setup, out);
  const DType product = product_type(setup.backend, setup.weights);
  GemmRate gemm(settings.count("peak-size"), product);
  DecoderInMemory model(setup, *source);
  Decoder& decoder = model.decoder();
  gemm.measure(kRateTimes);
  const float* logits = nullptr;
  while (out.next_step()) {
    decoder.reset();
    logits = decoder.advance(tokens.data(), setup.capacity);
    out.phase("forward");
  }
  const std::vector<float> last(logits, logits + setup.sequences * setup.shape.tokens());
  gemm.measure(kRateTimes);
  report_speed(decoder.operations(setup.capacity), tokens.size(), gemm, out);
  report_memory(model.memory(), out, gemm.bytes());
  report_process(model.memory(), setup.sequences, out);
  const Text text{setup.sequences, setup.capacity, forward_tokens(setup, seed)};
  out.check("step_matches_two_pieces", two_pieces_error(decoder, text, last),
            tolerances(setup).logits);
  check_sequences(decoder, seed, out);
  check_decoder(decoder, *source, seed, out);
}

std::vector<Parameter> forward_parameters() {
  // A pass over many rows is bound by its products, not by the memory that it reads.
  std::vector<Parameter> all = model_parameters(false);
  all.push_back(integers("batch-size", {"1,4", "1,4", "1,2,4,8"}, 1, 65536,
                         "sequences B of a pass; a series each"));
  all.push_back(integers("seq-len", {"64,128", "64,128", "128,256,512"}, 1, 1'000'000,
                         "tokens L of a sequence; a series each"));
  all.push_back(integer("peak-size", {512, 512, 2048}, 0, 16384,
                        "n of the n^3 product whose rate is the yardstick; 0: none"));
  return all;
}

}  // namespace

Workload inference_forward() {
  Workload own{
      .name = "inference/forward",
      .summary = "One pass over whole sequences: each batch size, each length.",
      .parameters = forward_parameters(),
      .phases = {"forward"},
      .metrics = {"tokens_per_second", "flop_rate", "gemm_rate", "gemm_share"},
      .checks = {"step_matches_two_pieces", "sequences_do_not_mix"},
      .series = forward_series,
      .run = run_forward,
  };
  append(own.metrics, memory_metrics());
  for (const char* name : {"activations_bytes_per_sequence", "resident_peak", "resident_average"}) {
    own.metrics.emplace_back(name);
  }
  for (const std::string& name : decoder_checks()) {
    own.checks.push_back(name);
  }
  return own;
}

}  // namespace perf::workloads
