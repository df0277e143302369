#include "workloads/inference/streaming_workload.h"

#include <utility>
#include <vector>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/differing_tokens.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/inference_report.h"
#include "workloads/inference/prompt_tokens.h"
#include "workloads/inference/streaming.h"
#include "workloads/inference/text_check.h"
#include "workloads/program/error.h"
#include "workloads/program/median.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;
using Handover = Streaming::Handover;

constexpr int kPromptTimes = 3;

// Of the timed steps, but for the mistakes.
struct Measured {
  std::vector<double> ratios, first_token, first_token_whole;
  std::size_t wrong_tokens = 0;  // that a reader got, of all steps
};

Measured generate(Streaming& streaming, ReadShare& reading, StepEmitter& out) {
  Measured measured;
  Streaming::Times streamed, whole;
  streaming.generate(Handover::in_one_piece);
  const std::vector<std::uint32_t> text = streaming.generated();  // what all others are to be
  const auto generate_one = [&](Handover handover) {
    const bool by_token = handover == Handover::by_token;
    (by_token ? streamed : whole) = streaming.generate(handover);
    out.phase(by_token ? "streamed" : "whole");
    measured.wrong_tokens += differing_tokens(streaming.received(), text);
  };
  reading.probe();
  for (bool streamed_first = true; out.next_step(); streamed_first = !streamed_first) {
    generate_one(streamed_first ? Handover::by_token : Handover::in_one_piece);
    generate_one(streamed_first ? Handover::in_one_piece : Handover::by_token);
    out.stop_step();
    reading.probe();
    if (out.steps().back().warmup) {
      continue;
    }
    reading.step(streamed.bytes + whole.bytes, streamed.decode + whole.decode);
    measured.ratios.push_back(streamed.total / whole.total);
    measured.first_token.push_back(streamed.first_token);
    measured.first_token_whole.push_back(whole.first_token);
  }
  return measured;
}

// Token by token against in one piece, in turns.
double prompt_ratio(Streaming& streaming) {
  std::vector<double> ratios;
  for (int i = 0; i < kPromptTimes; ++i) {
    const double by_token = streaming.prompt_time(Handover::by_token);
    ratios.push_back(by_token / streaming.prompt_time(Handover::in_one_piece));
  }
  return median(ratios);
}

void report(const Measured& measured, Streaming& streaming, std::size_t tokens, StepEmitter& out) {
  out.metric("streaming_overhead", "1", Better::lower, median(measured.ratios) - 1);
  out.metric("first_token_time", "s", Better::lower, median(measured.first_token));
  out.metric("first_token_time_whole", "s", Better::lower, median(measured.first_token_whole));
  out.metric("tokens_per_second", "1/s", Better::higher,
             static_cast<double>(tokens) / out.median_seconds());
  out.metric("prompt_by_token", "1", Better::higher, prompt_ratio(streaming));
}

void run_streaming(const Settings& settings, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const std::unique_ptr<ParameterSource> source = parameter_source(settings, seed);
  const std::vector<int> given = prompt_tokens(settings, source->shape().tokens());
  const StreamingSetup streamed{
      .prompt = prompt_length(settings, given),
      .new_tokens = static_cast<std::size_t>(settings.integer("new-tokens")),
      .sampling = sampling_options(settings),
      .prompt_tokens = given};
  DecoderSetup setup = decoder_setup(settings, *source);
  setup.capacity = streamed.prompt + streamed.new_tokens;
  setup.most_rows = streamed.prompt;
  describe_setup(settings, setup, out);
  describe_prompt(given, out);
  const std::size_t tokens = 2 * streamed.new_tokens;
  out.begin_field("tokens_per_step", tokens);
  DecoderInMemory model(setup, *source);
  Ledger counted;
  Sampler(streamed.sampling, setup.shape.tokens(), counted);
  Ledger memory(counted);
  Streaming streaming(model.decoder(), streamed, seed, memory);
  ReadShare reading(read_probe_bytes(settings, model.memory()));
  const Measured measured = generate(streaming, reading, out);
  report(measured, streaming, tokens, out);
  reading.report(out);
  report_memory(model.memory(), out, reading.bytes());
  out.check("reader_gets_the_text", static_cast<double>(measured.wrong_tokens), 0);
  check_text(model.decoder(), streaming, streamed, seed, out);
  check_decoder(model.decoder(), *source, seed, out);
}

std::vector<Parameter> streaming_parameters() {
  std::vector<Parameter> all = model_parameters();
  for (Parameter& parameter : sampling_parameters()) {
    all.push_back(std::move(parameter));
  }
  all.push_back(integer("prompt", {16, 16, 64}, 1, 65536, "tokens read at once"));
  all.push_back(prompt_tokens_parameter());
  all.push_back(integer("new-tokens", {16, 16, 64}, 2, 65536, "tokens generated one by one"));
  return all;
}

std::vector<std::string> joined(std::vector<std::string> names,
                                const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

}  // namespace

Workload inference_streaming() {
  return {
      .name = "inference/streaming",
      .summary = "Generates a text that a reader gets token by token, and the same in one piece.",
      .parameters = streaming_parameters(),
      .phases = {"streamed", "whole"},
      .metrics = joined({"streaming_overhead", "first_token_time", "first_token_time_whole",
                         "tokens_per_second", "prompt_by_token"},
                        joined(ReadShare::metrics(), memory_metrics())),
      .checks = joined({"reader_gets_the_text", "text_matches_one_piece"}, decoder_checks()),
      .run = run_streaming,
  };
}

}  // namespace perf::workloads
