#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "workloads/decoder/decoder.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What is checked: appends `count` tokens to each sequence, tokens (B,count), after forgetting all
/// before where `anew` is set, and gives logits (B,V) after the last ones.
using AdvanceSequences =
    std::function<const float*(const int* tokens, std::size_t count, bool anew)>;

/// How far the logits of a sequence depend on its place in the batch: random sequences, the last
/// token decoded on its own, against the same sequences each one place further; relative to the
/// largest logit. 0 for one sequence.
double sequences_error(const DecoderSetup& setup, std::uint64_t seed,
                       const AdvanceSequences& advance);

/// Sums are taken in the same order wherever a row stands, but for those in the edge tiles of a
/// library's products; what is rounded before it is multiplied (Bf16 rows, quantized ones) may then
/// fall to the other side. A sequence that sees another's tokens or cache is off by about 1.
double sequences_tolerance(const DecoderSetup& setup);

/// The check `sequences_do_not_mix`. Leaves the decoder reset.
void check_sequences(Decoder& decoder, std::uint64_t seed, perf_compare::StepEmitter& out);

}  // namespace perf::workloads
