#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/commands/output_file.h"
#include "workloads/model/model_shape.h"
#include "workloads/program/run_command.h"

namespace perf::workloads {

/// What an inference workload says of one of its series, so that another implementation can do the
/// same and be held against it.
///
/// Of inference/generate
///     fields  {"kind": "generate", "weights": "fp32", "cache_dtype": "fp32", "sequences": 1,
///              "length": tokens of a prompt, "new_tokens": 100, "capacity": positions of the
///              cache, "parameters": ..., "operations": floating-point operations of the prompt's
///              products, "method": "top-p", "temperature": 0.7, "top_k": 50, "top_p": 0.9}
///     inputs  tokens (B,length), unit_bits (B,new_tokens)
///     trace   tokens (B,length + new_tokens); of some of the new tokens, the first and the last
///             among them, logit_steps (n) and the logits (n B,V) that they were drawn from
/// of inference/forward
///     fields  kind (forward), weights, cache_dtype, sequences, length, parameters, operations
///     inputs  tokens (B,length)
///     trace   logits (B,V) of each sequence's last token
/// of inference/sampling
///     fields  kind (sampling), vocabulary, vectors, samples (tokens a step), method, ...
///     inputs  logits (vectors,V), used in turn, unit_bits (draws): for all steps, warm-ups first
///     trace   tokens (draws): those drawn in the first `steps` steps
///
/// Inputs are I32, but for logits; the trace is F32. A token is drawn with unit_bits / 2^32, the
/// bits taken as unsigned.
struct InferenceAnswers {
  const char* workload;
  perf_compare::Fields (*fields)(const RunRequest& request);
  std::vector<NamedTensor> (*inputs)(const RunRequest& request);
  std::vector<NamedTensor> (*trace)(const RunRequest& request);
  std::size_t (*memory)(const RunRequest& request);  ///< bytes that its run would take
  ModelShape (*shape)(const RunRequest& request);    ///< null where there is no model
};

/// Null for a workload that no other implementation does.
const InferenceAnswers* inference_answers(const std::string& workload);
/// The names of those that have answers.
std::vector<std::string> inference_answer_names();

/// The answers' functions run over all series, tensors named after them:
/// "inference/generate/tokens", "batch_2_length_128/logits".
std::vector<NamedTensor> tensors_of_series(
    const std::vector<NamedRequest>& series,
    std::vector<NamedTensor> (*tensors)(const RunRequest& request));

}  // namespace perf::workloads
