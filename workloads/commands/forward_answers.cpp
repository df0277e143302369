#include "workloads/commands/answers_by_kind.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/forward.h"
#include "workloads/inference/inference_parameters.h"

namespace perf::workloads {

namespace {

using perf_compare::Fields;
using Tensors = std::vector<NamedTensor>;

DecoderSetup forward_of(const RunRequest& request) {
  return forward_setup(request.settings, *parameter_source(request.settings, request.wanted.seed));
}

Fields forward_fields(const RunRequest& request) {
  const DecoderSetup setup = forward_of(request);
  return decoder_fields("forward", setup, setup.capacity);
}

Tensors forward_inputs(const RunRequest& request) {
  const DecoderSetup setup = forward_of(request);
  return {{"tokens",
           {setup.sequences, setup.capacity},
           {},
           forward_tokens(setup, request.wanted.seed)}};
}

Tensors forward_trace(const RunRequest& request) {
  const DecoderSetup setup = forward_of(request);
  DecoderInMemory model(setup, *parameter_source(request.settings, request.wanted.seed));
  const std::vector<int> tokens = forward_tokens(setup, request.wanted.seed);
  const float* logits = model.decoder().advance(tokens.data(), setup.capacity);
  const std::size_t count = setup.sequences * setup.shape.tokens();
  return {{"logits", {setup.sequences, setup.shape.tokens()}, {logits, logits + count}}};
}

std::size_t forward_memory(const RunRequest& request) {
  return counted(forward_of(request));
}

}  // namespace

InferenceAnswers forward_answers() {
  return {"inference/forward", forward_fields, forward_inputs,
          forward_trace,       forward_memory, shape_of};
}

}  // namespace perf::workloads
