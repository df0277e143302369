#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "workloads/decoder/decoder.h"
#include "workloads/decoder/decoder_check_small.h"
#include "workloads/inference/generation.h"
#include "workloads/inference/streaming.h"
#include "workloads/kernels/sampler.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What the seed makes of a text, whoever generates it.
struct ExpectedText {
  Text prompt;
  SamplingOptions sampling;
  /// In [0,1), what a sequence's new token is drawn with.
  std::function<double(std::size_t sequence, std::size_t index)> unit;
};

/// Tokens (sequences,length), side by side: those given, of each sequence, else random ones of a
/// seed's stream.
Text prompt_of(std::uint64_t seed, std::uint32_t stream, const DecoderSetup& setup,
               std::size_t length, const std::vector<int>& given = {});

/// How far generated texts (B,prompt + new tokens) are from what the decoder makes of them in large
/// pieces: their prompts are the seed's, every token is one that may be drawn, and holds its unit
/// among sampling_probabilities_reference(), added up in the order of the tokens. 1 is as much as
/// logits that are off by `logits`, of the largest, explain; a wrong prompt is more. Each of the
/// first tokens is looked at, then some, and the last. Leaves the decoder reset.
double text_error(Decoder& decoder, const ExpectedText& expected, const Text& text, double logits);

/// The check `text_matches_one_piece`: the last timed step's text, by text_error().
void check_text(Decoder& decoder, const ExpectedText& expected, const Text& text,
                perf_compare::StepEmitter& out);

/// The same of what a Generation, or a Streaming, has generated last from this seed. Recomputed
/// here: a prompt or numbers that do not come from the seed show, too.
void check_text(Decoder& decoder, const Generation& generation, std::uint64_t seed,
                perf_compare::StepEmitter& out);
void check_text(Decoder& decoder, const Streaming& streaming, const StreamingSetup& setup,
                std::uint64_t seed, perf_compare::StepEmitter& out);

/// The logits (B,V) after tokens (B,count) against those of a pass in two pieces. Leaves the
/// decoder reset.
double two_pieces_error(Decoder& decoder, const Text& text, const std::vector<float>& logits);

}  // namespace perf::workloads
