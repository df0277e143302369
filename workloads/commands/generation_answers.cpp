#include <algorithm>
#include <memory>
#include <utility>

#include "workloads/commands/answers_by_kind.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/generate.h"
#include "workloads/inference/inference_parameters.h"

namespace perf::workloads {

namespace {

using perf_compare::Fields;
using Tensors = std::vector<NamedTensor>;

constexpr std::size_t kMostTracedSteps = 8;

std::vector<float> floats(const std::vector<int>& values) {
  return {values.begin(), values.end()};
}

struct Generating {
  explicit Generating(const RunRequest& request)
      : source(parameter_source(request.settings, request.wanted.seed)),
        wanted(generation_setup(request.settings, *source, true)),
        setup(generating_setup(request.settings, *source, wanted)) {}

  std::unique_ptr<ParameterSource> source;
  GenerationSetup wanted;
  DecoderSetup setup;
};

Fields generation_fields(const RunRequest& request) {
  const Generating one(request);
  Fields fields = decoder_fields("generate", one.setup, one.wanted.prompt);
  fields.emplace_back("new_tokens", one.wanted.new_tokens);
  add_sampling(one.wanted.sampling, fields);
  return fields;
}

Tensors generation_inputs(const RunRequest& request) {
  const Generating one(request);
  Ledger memory;
  Decoder decoder(one.setup, memory);  // of no use but to say how many sequences
  const Generation generation(decoder, one.wanted, request.wanted.seed);
  NamedTensor tokens{"tokens", {one.setup.sequences, one.wanted.prompt}, {}};
  NamedTensor units{"unit_bits", {one.setup.sequences, one.wanted.new_tokens}, {}};
  for (std::size_t sequence = 0; sequence < one.setup.sequences; ++sequence) {
    const auto prompt = generation.tokens(sequence).begin();
    tokens.integers.insert(tokens.integers.end(), prompt,
                           prompt + static_cast<std::ptrdiff_t>(one.wanted.prompt));
    for (std::size_t i = 0; i < one.wanted.new_tokens; ++i) {
      units.integers.push_back(bits_of(generation.unit(sequence, i)));
    }
  }
  return {std::move(tokens), std::move(units)};
}

// Steps from the first to the last, evenly.
std::vector<std::size_t> traced_steps(std::size_t steps) {
  const std::size_t count = std::min(steps, kMostTracedSteps);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    chosen.push_back(count == 1 ? 0 : i * (steps - 1) / (count - 1));
  }
  return chosen;
}

Tensors generation_trace(const RunRequest& request) {
  const Generating one(request);
  const std::size_t sequences = one.setup.sequences, vocabulary = one.setup.shape.tokens();
  DecoderInMemory model(one.setup, *one.source);
  Decoder& decoder = model.decoder();
  Generation generation(decoder, one.wanted, request.wanted.seed);
  perf_compare::StepEmitter unused({.steps = 1, .warmup = 0, .seed = request.wanted.seed}, "", {});
  unused.next_step();
  generation.run(unused);

  NamedTensor tokens{"tokens", {sequences, one.wanted.prompt + one.wanted.new_tokens}, {}};
  for (std::size_t sequence = 0; sequence < sequences; ++sequence) {
    const std::vector<float> all = floats(generation.tokens(sequence));
    tokens.floats.insert(tokens.floats.end(), all.begin(), all.end());
  }
  // The same tokens once more, for the logits on the way.
  const std::vector<std::size_t> steps = traced_steps(one.wanted.new_tokens);
  NamedTensor which{"logit_steps", {steps.size()}, {}};
  NamedTensor logits{"logits", {steps.size() * sequences, vocabulary}, {}};
  decoder.reset();
  std::vector<int> next;
  for (std::size_t step = 0; step <= steps.back(); ++step) {
    const std::size_t first = step == 0 ? 0 : one.wanted.prompt + step - 1;
    const std::size_t count = step == 0 ? one.wanted.prompt : 1;
    next.clear();
    for (std::size_t sequence = 0; sequence < sequences; ++sequence) {
      const auto from = generation.tokens(sequence).begin() + static_cast<std::ptrdiff_t>(first);
      next.insert(next.end(), from, from + static_cast<std::ptrdiff_t>(count));
    }
    const float* values = decoder.advance(next.data(), count);
    if (std::find(steps.begin(), steps.end(), step) == steps.end()) {
      continue;
    }
    which.floats.push_back(static_cast<float>(step));
    logits.floats.insert(logits.floats.end(), values, values + sequences * vocabulary);
  }
  return {std::move(tokens), std::move(which), std::move(logits)};
}

std::size_t generation_memory(const RunRequest& request) {
  return counted(Generating(request).setup);
}

}  // namespace

InferenceAnswers generation_answers() {
  return {"inference/generate", generation_fields, generation_inputs,
          generation_trace,     generation_memory, shape_of};
}

}  // namespace perf::workloads
