#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/commands/inference_answers.h"
#include "workloads/decoder/decoder_setup.h"
#include "workloads/kernels/sampler.h"

namespace perf::workloads {

/// The answers, see there.
InferenceAnswers forward_answers();
InferenceAnswers generation_answers();
InferenceAnswers sampling_answers();

// What they share.

/// A number in [0,1) of at most 32 bits, as those bits.
std::int32_t bits_of(double unit);
/// Bytes that the decoder would take.
std::size_t counted(const DecoderSetup& setup);
/// The model of a request.
ModelShape shape_of(const RunRequest& request);
/// kind, weights, ..., operations, for sequences of `length` tokens.
perf_compare::Fields decoder_fields(const char* kind, const DecoderSetup& setup,
                                    std::size_t length);
/// method, temperature, top_k, top_p.
void add_sampling(const SamplingOptions& options, perf_compare::Fields& fields);

}  // namespace perf::workloads
